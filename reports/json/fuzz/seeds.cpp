// Writes reports as the writer makes them into the folder named by its argument: the corpus that fuzzing begins with.
#include <cstdlib>
#include <string>

#include "reports/json/write.hpp"
#include "tests/support/sample_report.hpp"

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc != 2) return EXIT_FAILURE;
  const std::string folder = argv[1];
  record::Report report = test::sample_report();
  json::write_file(report, folder + "/full.json");
  report.records.resize(1);
  report.findings.clear();
  json::write_file(report, folder + "/one.json");
  json::write_file(record::Report{}, folder + "/bare.json");
  return EXIT_SUCCESS;
}
