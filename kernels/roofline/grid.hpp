// The 7-point stencil: one step of the heat equation on a cube, the kernel of every finite-difference code.
//
//   out[z][y][x] = c0·in[z][y][x] + c1·(in[z][y][x±1] + in[z][y±1][x] + in[z±1][y][x])     for all interior points
//
// A cube of n³ points, x fastest; the faces are read and never written. 8 operations a point. Each point that is needed
// is counted as read once: (n−2)³ interior ones and the 6·(n−2)² of the faces (not the edges), and (n−2)³ are written;
// that is what moves where three planes fit in a cache, but for the read that an ordinary store causes
// (write-allocate): with it, the kernel reaches at most two thirds of its roof. Stores past the caches are no way out:
// rows of the interior begin and end within a line, and were twice as slow where this was tried.
#pragma once

#include <cstdint>

namespace ridge::roofline {

inline constexpr std::int64_t stencil_operations = 8;

template <class T>
struct Grid {
  T* out = nullptr;       // (n, n, n)
  const T* in = nullptr;  // (n, n, n), no overlap with out
  std::int64_t n = 0;
};

template <class T>
inline constexpr T centre = static_cast<T>(0.4123456789123457);
template <class T>
inline constexpr T neighbour = static_cast<T>(0.0987654321987654);

// Interior planes [begin, end) of z, 1 ≤ begin, end ≤ n−1.
template <class T>
using StencilKernel = void (*)(const Grid<T>&, std::int64_t begin, std::int64_t end);
template <class T>
StencilKernel<T> stencil_kernel();

// The sum in long double, and the most by which a result may be off: eight roundings at most on the way to each term.
struct Expected {
  long double value = 0;
  double bound = 0;
};
template <class T>
Expected stencil_expected(const T* in, std::int64_t n, std::int64_t z, std::int64_t y, std::int64_t x);

// Bytes that one step must move, as counted above.
std::int64_t stencil_points(std::int64_t n);  // interior
std::int64_t stencil_reads(std::int64_t n);   // elements

}  // namespace ridge::roofline
