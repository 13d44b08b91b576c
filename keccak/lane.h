/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * A lane from or to its eight bytes, the first the lowest (FIPS 202 §B.1). */
#ifndef KECCAK_LANE_H
#define KECCAK_LANE_H

#include <stdint.h>
#include <string.h>

static inline uint64_t load_lane(const uint8_t *in)
{
    uint64_t lane;
    memcpy(&lane, in, sizeof(lane));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    lane = __builtin_bswap64(lane);
#endif
    return lane;
}

static inline void store_lane(uint8_t *out, uint64_t lane)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    lane = __builtin_bswap64(lane);
#endif
    memcpy(out, &lane, sizeof(lane));
}

#endif
