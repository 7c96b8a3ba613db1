// Block-matching motion search, as a video encoder does it.
//
// The second frame is the first one with a whirl: every block of 8x8 pixels has moved a little. The search finds that
// motion again, from the pixels alone. A warp takes a block; its lanes try the 49 places where it may have come from,
// four pixels at a time with `__vsadu4`, and one `__reduce_min_sync` picks the place that fits best.
//
// What to see: one launch draws both frames, searches, and prints the field as arrows. The three steps are kernels of
// their own as well: draw_frames(before, after), find_motion(before, after, field), show_motion(field).
//
//     warpvm run --launch examples/motion.json

#ifndef __CUDACC_RTC__
#include <cstdio>
#endif

constexpr int side = 8, columns = 12, rows = 6, margin = 8;
constexpr int width = columns * side + 2 * margin, height = rows * side + 2 * margin;
constexpr int words = width * height / 4;
constexpr int reach = 3, span = 2 * reach + 1, places = span * span;

struct Vector {
    int x, y;
};

__device__ Vector vector_of(int place) { return {place % span - reach, place / span - reach}; }

// A texture that is the same at every call: a hash of the position.
__device__ unsigned texture(int x, int y) {
    unsigned hash = x * 0x9e3779b1u ^ y * 0x85ebca6bu;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    return hash >> 12 & 0xff;
}

// How a block moves: around the middle of the frame.
__device__ Vector whirl(int column, int row) {
    return {-(2 * row - rows + 1) * reach / (rows - 1), (2 * column - columns + 1) * reach / (columns - 1)};
}

__device__ void draw(unsigned *before, unsigned *after, int thread, int threads) {
#pragma unroll 1
    for (int word = thread; word < words; word += threads) {
        int x = word * 4 % width, y = word * 4 / width;
        Vector moved = whirl((x - margin) / side, (y - margin) / side);
        unsigned first = 0, second = 0;
        for (int n = 0; n < 4; ++n) {
            first |= texture(x + n, y) << 8 * n;
            second |= texture(x + n - moved.x, y - moved.y) << 8 * n;
        }
        before[word] = first;
        after[word] = second;
    }
}

// Four pixels of a row, from any x on.
__device__ unsigned four_pixels(const unsigned *frame, int x, int y) {
    const unsigned *word = frame + (y * width + x) / 4;
    return __funnelshift_r(word[0], word[1], x % 4 * 8);
}

// How badly the block at (x, y) fits the place in the first frame that it would have moved from.
__device__ unsigned misfit(const unsigned *before, const unsigned *after, int x, int y, Vector moved) {
    unsigned sum = 0;
#pragma unroll 1
    for (int row = y; row < y + side; ++row)
        for (int column = x; column < x + side; column += 4)
            sum += __vsadu4(four_pixels(before, column - moved.x, row - moved.y), after[(row * width + column) / 4]);
    return sum;
}

__device__ void search(const unsigned *before, const unsigned *after, unsigned *field, int thread, int threads) {
    int lane = thread % 32;
    for (int block = thread / 32; block < columns * rows; block += threads / 32) {
        int x = margin + block % columns * side, y = margin + block / columns * side;
        unsigned best = ~0u;
#pragma unroll 1
        for (int place = lane; place < places; place += 32)
            best = min(best, misfit(before, after, x, y, vector_of(place)) << 8 | place);
        best = __reduce_min_sync(~0u, best);
        if (lane == 0) field[block] = best & 0xff;
    }
}

__device__ void print(const unsigned *field) {
    static const char arrows[9][4] = {"↖", "↑", "↗", "←", "·", "→", "↙", "↓", "↘"};
#pragma unroll 1
    for (int block = 0; block < columns * rows; ++block) {
        Vector moved = vector_of(field[block]);
        int direction = 4 + (moved.x > 0) - (moved.x < 0) + 3 * ((moved.y > 0) - (moved.y < 0));
        printf("%s%s", arrows[direction], block % columns == columns - 1 ? "\n" : " ");
    }
}

extern "C" __global__ void draw_frames(unsigned *before, unsigned *after) {
    draw(before, after, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

extern "C" __global__ void find_motion(const unsigned *before, const unsigned *after, unsigned *field) {
    search(before, after, field, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

extern "C" __global__ void show_motion(const unsigned *field) {
    if (blockIdx.x == 0 && threadIdx.x == 0) print(field);
}

extern "C" __global__ void motion(unsigned *field) {
    __shared__ unsigned before[words], after[words];
    draw(before, after, threadIdx.x, blockDim.x);
    __syncthreads();
    search(before, after, field, threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) print(field);
}
