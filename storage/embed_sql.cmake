# SPDX-License-Identifier: Apache-2.0
# Writes a C++ file with the scripts of a folder, in the order of their numbers:
#   cmake -DFOLDER=resources/sql/chats -DNAME=chatMigrations -DOUT=chats_sql.cpp -P embed_sql.cmake
# The file defines `std::vector<pal::Migration> pal::NAME()`.
file(GLOB scripts LIST_DIRECTORIES false "${FOLDER}/*.sql")
list(SORT scripts)
set(entries "")
set(expected 1)
foreach(script IN LISTS scripts)
  get_filename_component(file "${script}" NAME)
  if(NOT file MATCHES "^([0-9][0-9][0-9])_[a-z0-9_]+\\.sql$")
    message(FATAL_ERROR "${script}: migrations are called NNN_what_it_does.sql")
  endif()
  math(EXPR number "1${CMAKE_MATCH_1} - 1000")
  if(NOT number EQUAL expected)
    message(FATAL_ERROR "${script}: number ${expected} is missing")
  endif()
  math(EXPR expected "${expected} + 1")
  file(READ "${script}" text)
  string(APPEND entries "        {${number}, \"${file}\", R\"palsql(${text})palsql\"},\n")
endforeach()
file(WRITE "${OUT}" "// SPDX-License-Identifier: Apache-2.0
// Made from ${NAME}'s scripts in resources/sql by storage/embed_sql.cmake.
#include \"storage/chats/migrations.h\"

namespace pal {

std::vector<Migration> ${NAME}() {
    return {
${entries}    };
}

}  // namespace pal
")
