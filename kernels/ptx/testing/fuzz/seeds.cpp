// Seeds for fuzzing the PTX reader: each kernel that nvcc compiled as a module of its own, and a dictionary of their
// words.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace {

void save(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Words of PTX as libFuzzer's dictionaries want them: opcodes, modifiers, directives and punctuation between them.
std::string dictionary(const std::string& text) {
  std::set<std::string> words = {"{", "}", "[", "]", "%p1", "%r1", "%rd1", "%f1", "0x7fffffff", "0f3F800000", "@!%p1"};
  std::string word;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
        (!word.empty() && std::isdigit(static_cast<unsigned char>(c)))) {
      word += c;
      continue;
    }
    if (word.size() > 1 && word.size() < 12) words.insert(word);
    word = c == '.' ? "." : "";
  }
  std::string out;
  for (const std::string& each : words) out += '"' + each + "\"\n";
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::filesystem::path folder = arguments[2];
  const std::string entry = ".visible .entry";
  std::size_t at = text.find(entry);
  if (at == std::string::npos) return 1;
  const std::string head = text.substr(0, at);
  for (int i = 0; at != std::string::npos; ++i) {
    const std::size_t next = text.find(entry, at + 1);
    save(folder / ("kernel_" + std::to_string(i) + ".ptx"), head + text.substr(at, next - at));
    at = next;
  }
  save(folder / "small.ptx",
       ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 g[2] = {1, g};\n.visible .entry k(.param "
       ".u64 "
       "p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 s[64];\nld.param.u64 %rd1, "
       "[p];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra A;\nst.global.u32 [%rd1], %r1;\nA: ret;\n}\n");
  save(arguments[3], dictionary(text));
  return 0;
}
