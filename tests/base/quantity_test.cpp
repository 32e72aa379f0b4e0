// Quantities against the server's own answers (quantities.tsv) and against each other. Covers scenarios 1, 2, 4,
// 5, 7.
#include "cmb2kueue/base/quantity.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>
#include <sstream>

#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::base {
namespace {

using testing::Fails;
using ::testing::HasSubstr;

struct Row {
  std::string spelling, canonical, format, milli, ones;
};

std::vector<Row> golden_rows() {
  std::istringstream lines(testing::read_file(testing::project_path("tests/base/quantities.tsv")));
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line);
    Row& row = rows.emplace_back();
    fields >> row.spelling >> row.canonical >> row.format >> row.milli >> row.ones;
  }
  return rows;
}

Quantity parsed(std::string_view text) {
  const Result<Quantity> quantity = Quantity::parse(text);
  EXPECT_TRUE(quantity.ok()) << testing::describe(quantity.status());
  return quantity.ok() ? quantity.value() : Quantity();
}

std::string shown(const std::optional<std::int64_t>& units) {
  return units ? std::to_string(*units) : "overflow";
}

std::string shown(Quantity::Format format) {
  if (format == Quantity::Format::binary_si) return "binary";
  return format == Quantity::Format::decimal_si ? "si" : "exponent";
}

TEST(Quantity, ReadsAndPrintsAsTheServerDoes) {
  const std::vector<Row> rows = golden_rows();
  ASSERT_GT(rows.size(), 400U);
  for (const Row& row : rows) {
    const Quantity quantity = parsed(row.spelling);
    EXPECT_EQ(quantity.to_string(), row.canonical) << row.spelling;
    EXPECT_EQ(shown(quantity.format()), row.format) << row.spelling;
    EXPECT_EQ(shown(quantity.kueue_units("cpu")), row.milli) << row.spelling;
    EXPECT_EQ(shown(quantity.kueue_units("memory")), row.ones) << row.spelling;
  }
}

TEST(Quantity, CanonicalTextIsAFixedPoint) {
  for (const Row& row : golden_rows()) EXPECT_EQ(parsed(row.canonical).to_string(), row.canonical) << row.spelling;
}

// Scenario 1: spellings of one value are equal, whatever their format.
TEST(Quantity, ComparesByValue) {
  EXPECT_EQ(parsed("0.5"), parsed("500m"));
  EXPECT_EQ(parsed("3072Mi"), parsed("3Gi"));
  EXPECT_EQ(parsed("007"), parsed("7"));
  EXPECT_EQ(parsed("1e3"), parsed("1k"));
  EXPECT_LT(parsed("1000Mi"), parsed("1Gi"));
  EXPECT_GT(parsed("1n"), parsed("-1G"));
  EXPECT_EQ(parsed("1500m") <=> parsed("1.5"), std::strong_ordering::equal);
}

// Scenario 4: SI ends at E, so more than a thousand of them keep their digits.
TEST(Quantity, PrintsBeyondExaInExa) {
  EXPECT_EQ(parsed("2000E").to_string(), "2000E");
  EXPECT_EQ(parsed("2e21").to_string(), "2e21");
  EXPECT_EQ(parsed("1000000P").to_string(), "1000E");
}

TEST(Quantity, PrintsBinaryValuesNoSuffixFitsInDecimal) {
  EXPECT_EQ(parsed("81.0546875Ki").to_string(), "83k");
  EXPECT_EQ(Quantity::of(std::int64_t{1} << 43U, Unit::mebi).to_string(), "9223372036854775808");
  EXPECT_EQ(Quantity::of(-(std::int64_t{1} << 43U), Unit::mebi).to_string(), "-9223372036854775808");
  EXPECT_EQ(Quantity::of((std::int64_t{1} << 43U) - 1, Unit::mebi).to_string(), "8796093022207Mi");
}

TEST(Quantity, RefusesWhatIsNoQuantityAndSaysWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "\"\" is not a quantity: expected a digit at character 1"},
      {"+", "expected a digit at character 2"},
      {"-.", "expected a digit at character 3"},
      {"Gi", "expected a digit at character 1"},
      {" 1", "expected a digit at character 1"},
      {"1 ", "unknown suffix \" \" at character 2"},
      {"12Q", "unknown suffix \"Q\" at character 3"},
      {"1K", "unknown suffix \"K\""},
      {"1gi", "unknown suffix \"gi\""},
      {"1.2.3", "unknown suffix \".3\" at character 4"},
      {"1e", "expected a digit of the exponent at character 3"},
      {"1e+-3", "expected a digit of the exponent at character 4"},
      {"1e1.5", "expected a digit of the exponent at character 4"},
      {"0x10", "unknown suffix \"x10\" at character 2"},
      {std::string("1\0", 2), "unknown suffix \"\\x00\""},
  };
  for (const auto& [text, message] : cases) {
    const Status status = Quantity::parse(text).status();
    EXPECT_THAT(status, Fails(ErrorKind::input, HasSubstr(message)));
    EXPECT_THAT(status.advice(), HasSubstr("Ki Mi Gi"));
  }
}

// Time this thread worked, so that a busy machine does not count; the best of three.
std::chrono::nanoseconds time_to_parse(const std::string& text) {
  std::chrono::nanoseconds best = std::chrono::hours(1);
  for (int turn = 0; turn < 3; ++turn) {
    timespec start{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    EXPECT_FALSE(Quantity::parse(text).ok());
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    best = std::min(best, std::chrono::seconds(end.tv_sec - start.tv_sec) +
                              std::chrono::nanoseconds(end.tv_nsec - start.tv_nsec));
  }
  return best;
}

#ifdef __OPTIMIZE__
constexpr std::chrono::milliseconds at_once(1);
#else
constexpr std::chrono::milliseconds at_once(10);  // instrumented or unoptimised code reads the longest texts slower
#endif

// Scenario 4: no exponent costs time, and one too large is refused instead of wrapping.
TEST(Quantity, RefusesAbsurdExponentsAtOnce) {
  const std::string digits(100000, '9');
  const std::vector<std::string> cases = {"1e2147483647", "1e2147483648", "1e-2147483648",        "1e4294967296",
                                          "1e" + digits,  "1e-" + digits, "1E9223372036854775808"};
  for (const std::string& text : cases) {
    EXPECT_THAT(Quantity::parse(text).status(), Fails(ErrorKind::input, HasSubstr("is out of range: its")));
    EXPECT_LT(time_to_parse(text), at_once) << text.substr(0, 20);
  }
  EXPECT_EQ(parsed("1e-2147483647").to_string(), "1e-9");
  EXPECT_TRUE(parsed("0e2147483647").is_zero());
}

TEST(Quantity, HoldsUpTo127BitsOfNanos) {
  EXPECT_EQ(parsed("170141183460469231731687303715.884105727").to_string(),
            "170141183460469231731687303715884105727n");
  EXPECT_THAT(Quantity::parse("170141183460469231731687303715.884105728").status(),
              Fails(ErrorKind::input, HasSubstr("its value is too large")));
  EXPECT_EQ(parsed("-" + std::string(1000, '0') + "1." + std::string(1000, '0')).to_string(), "-1");
}

// Scenario 5: below a nano-unit the server goes up, and we can tell.
TEST(Quantity, KnowsWhatItRounded) {
  for (const char* text : {"0.1n", "1e-100", "1.0000000001", "-0.5n", "0.0000000001Ki"})
    EXPECT_TRUE(Quantity::loses_precision(text)) << text;
  for (const char* text : {"1n", "0", "1e-9", "1.0000000000000", "0.5Ki", "0e-100", "9Ei", "no"})
    EXPECT_FALSE(Quantity::loses_precision(text)) << text;
}

TEST(Quantity, CountsInTheUnitsOfTheSource) {
  EXPECT_EQ(Quantity::of(1536, Unit::mebi).to_string(), "1536Mi");
  EXPECT_EQ(Quantity::of(2048, Unit::mebi).to_string(), "2Gi");
  EXPECT_EQ(Quantity::of(12000, Unit::milli).to_string(), "12");
  EXPECT_EQ(Quantity::of(1500, Unit::milli).to_string(), "1500m");
  EXPECT_EQ(Quantity::of(1000, Unit::mega).to_string(), "1G");
  EXPECT_EQ(Quantity::of(1000, Unit::one).to_string(), "1k");
  EXPECT_EQ(Quantity::of(0, Unit::mebi).to_string(), "0");
  EXPECT_EQ(Quantity::of(INT64_MAX, Unit::mebi).kueue_units("memory"), std::nullopt);
  EXPECT_EQ(Quantity::of(INT64_MIN, Unit::one).to_string(), "-9223372036854775808");
}

TEST(Quantity, BecomesKueuesIntegersRoundedAwayFromZero) {
  EXPECT_EQ(parsed("100u").kueue_units("cpu"), 1);
  EXPECT_EQ(parsed("-100u").kueue_units("cpu"), -1);
  EXPECT_EQ(parsed("500m").kueue_units("nvidia.com/gpu"), 1);
  EXPECT_EQ(parsed("0.5").kueue_units("memory"), 1);
  EXPECT_EQ(parsed("9223372036854775807").kueue_units("memory"), INT64_MAX);
  EXPECT_EQ(parsed("9223372036854775807.1").kueue_units("memory"), std::nullopt);
  EXPECT_EQ(parsed("-9223372036854775808").kueue_units("memory"), INT64_MIN);
  EXPECT_EQ(parsed("9223372036854775807").kueue_units("cpu"), std::nullopt);
}

TEST(Quantity, AddsAndSubtractsInTheFormatOfTheLeftSide) {
  EXPECT_EQ(parsed("1Gi").plus(parsed("512Mi"))->to_string(), "1536Mi");
  EXPECT_EQ(parsed("1").plus(parsed("1Gi"))->to_string(), "1073741825");
  EXPECT_EQ(parsed("0").plus(parsed("1Gi"))->to_string(), "1Gi");
  EXPECT_EQ(parsed("1Gi").minus(parsed("1Gi"))->to_string(), "0");
  EXPECT_EQ(parsed("1").minus(parsed("1500m"))->to_string(), "-500m");
  EXPECT_TRUE(parsed("-1m").negative());
  const Quantity most = parsed("170141183460469231731687303715.884105727");
  EXPECT_FALSE(most.plus(parsed("1n")).has_value());
  EXPECT_FALSE(most.minus(parsed("-1n")).has_value());
}

TEST(Quantity, CountsAreCheckedForOverflow) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_mul(-4, 5), -20);
  EXPECT_EQ(checked_mul(INT64_MIN, -1), std::nullopt);
}

// Any value of any size in any format comes back from its own text, and its text from that.
TEST(Quantity, SurvivesItsOwnTextForRandomValues) {
  std::mt19937_64 random(20240611);
  for (int turn = 0; turn < 200000; ++turn) {
    int128 nanos = (static_cast<int128>(random()) << 64U) | random();
    nanos >>= random() % 127;
    for (std::uint64_t i = random() % 5; i > 0 && nanos < int128{1} << 100U && -nanos < int128{1} << 100U; --i)
      nanos *= 1000;
    const Quantity::Format format = static_cast<Quantity::Format>(random() % 3);
    const Quantity quantity = Quantity::from_nanos(nanos, format);
    const std::string text = quantity.to_string();
    const Quantity again = parsed(text);
    ASSERT_EQ(again, quantity) << text;
    ASSERT_EQ(again.to_string(), text);
  }
}

}  // namespace
}  // namespace cmb2kueue::base
