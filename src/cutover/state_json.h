// State, plans and records as JSON: one writer and one reader per part, shared by all three documents.
#pragma once
#include <string>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/cutover/plan.h"
#include "cmb2kueue/cutover/state.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/tree.h"
#include "words.h"

namespace cmb2kueue::cutover {

void write_object(doc::Sink& sink, const kueue::Object& object);
void write_objects(doc::Sink& sink, std::string_view key, const std::vector<kueue::Object>& objects);
void write_inputs(doc::Sink& sink, const Inputs& inputs);
void write_head(doc::Sink& sink, const Head& head);
void write_tree(doc::Sink& sink, const quota::Entitlements& tree);
void write_enrolled(doc::Sink& sink, const Enrolled& tenant);
void write_shared(doc::Sink& sink, const SharedObject& shared);
void write_parts(doc::Sink& sink, const std::vector<quota::FixedPart>& parts);
void write_texts(doc::Sink& sink, std::string_view key, const std::vector<std::string>& texts);

// Readers take what the writers wrote. What is missing reads as empty; what is nonsense makes `good` false, and the
// first of it is kept with its place.
struct JsonReader {
  bool good = true;
  std::string problem;  // "parent" is not a whole number
  base::Place place;

  void fail(doc::Node node, std::string what);

  std::string text(doc::Node map, std::string_view key);
  std::int64_t number(doc::Node map, std::string_view key);
  std::uint32_t index(doc::Node map, std::string_view key);  // a number that fits 32 bits without sign
  bool boolean(doc::Node map, std::string_view key);
  template <class Enumeration>
  Enumeration word(doc::Node map, std::string_view key);
  std::vector<std::string> texts(doc::Node map, std::string_view key);
  std::vector<std::int64_t> numbers(doc::Node list);
  std::vector<quota::FixedPart> parts(doc::Node list);
  std::vector<kueue::Object> objects(doc::Node map, std::string_view key);
  kueue::Object object(doc::Node node);
  Inputs inputs(doc::Node node);
  Head head(doc::Node node);
  quota::Entitlements tree(doc::Node node);
  Enrolled enrolled(doc::Node node);
  SharedObject shared(doc::Node node);
};

template <class Enumeration>
Enumeration JsonReader::word(doc::Node map, std::string_view key) {
  const std::string read = text(map, key);
  const std::optional<Enumeration> value = of_word<Enumeration>(read);
  if (!value) fail(map.find(key), "\"" + std::string(key) + "\" has no value " + base::quoted(read));
  return value.value_or(Enumeration());
}

// Fingerprint of a tree's content, also the name of the record that holds it.
std::string tree_name(const quota::Entitlements& tree);
std::string tree_text(const quota::Entitlements& tree);

}  // namespace cmb2kueue::cutover
