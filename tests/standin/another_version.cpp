// A library that has none of the functions that are looked for.
extern "C" int ridge_standin_of_another_version() {
  return 1;
}
