// State, plans and records as JSON: one writer and one reader per part, shared by all three documents.
#pragma once
#include <string>

#include "cmb2kueue/cutover/plan.h"
#include "cmb2kueue/cutover/state.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/tree.h"

namespace cmb2kueue::cutover {

void write_object(doc::Sink& sink, const kueue::Object& object);
void write_objects(doc::Sink& sink, std::string_view key, const std::vector<kueue::Object>& objects);
void write_inputs(doc::Sink& sink, const Inputs& inputs);
void write_head(doc::Sink& sink, const Head& head);
void write_tree(doc::Sink& sink, const quota::Entitlements& tree);
void write_enrolled(doc::Sink& sink, const Enrolled& tenant);
void write_shared(doc::Sink& sink, const SharedObject& shared);
void write_texts(doc::Sink& sink, std::string_view key, const std::vector<std::string>& texts);

// Readers take what the writers wrote. What is missing reads as empty; what is nonsense makes `good` false.
struct JsonReader {
  bool good = true;

  std::string text(doc::Node map, std::string_view key);
  std::int64_t number(doc::Node map, std::string_view key);
  bool boolean(doc::Node map, std::string_view key);
  std::vector<std::string> texts(doc::Node map, std::string_view key);
  std::vector<kueue::Object> objects(doc::Node map, std::string_view key);
  kueue::Object object(doc::Node node);
  Inputs inputs(doc::Node node);
  Head head(doc::Node node);
  quota::Entitlements tree(doc::Node node);
  Enrolled enrolled(doc::Node node);
  SharedObject shared(doc::Node node);
};

// Fingerprint of a tree's content, also the name of the record that holds it.
std::string tree_name(const quota::Entitlements& tree);
std::string tree_text(const quota::Entitlements& tree);

}  // namespace cmb2kueue::cutover
