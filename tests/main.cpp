// The main function of loopsim_tests: Catch's own.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
