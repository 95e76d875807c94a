// What the family's records say together: the levels, Little's law, what pages cost, and a picture of the staircase.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/harness/analysis.hpp"
#include "bench/hierarchy/curve.hpp"

namespace ridge::bench::hierarchy {

std::shared_ptr<const Analysis> make_analysis();

// Little's law: what `bytes_in_flight` give at that latency, as far as `ceiling` (where one was measured) allows.
double predicted_bandwidth(double bytes_in_flight, double latency, std::optional<double> ceiling);

// The latency curve of a device, by what the case asked of pages ("huge", "small"; empty on a GPU).
std::vector<CurvePoint> latency_curve(std::span<const record::Record> records, const std::string& device,
                                      const std::string& pages);

// The pages that the device's levels are read from: huge ones where they were measured.
std::string main_pages(std::span<const record::Record> records, const std::string& device);

// The devices that have a record of this family, each once.
std::vector<std::string> devices_of(std::span<const record::Record> records);

// "L1 1.2 ns up to 32 KiB"
std::string text_of(const FoundLevel& level);

std::string draw_staircase(std::span<const record::Record> records, int columns);

}  // namespace ridge::bench::hierarchy
