// SPDX-License-Identifier: Apache-2.0
#include <QStringTokenizer>
#include <array>

#include "app/desktop/transcript/code_highlighter.h"

namespace pal::desktop {
namespace {

using Form = CodeLanguage::Form;

// clang-format off
constexpr std::array kLanguages = {
    CodeLanguage{u"c h c++ cpp cc cxx hpp cuda cu objective-c objc glsl hlsl metal opencl", Form::kCode,
        u"#define #elif #else #endif #if #ifdef #ifndef #include #pragma #undef alignas alignof asm auto bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while",
        u"//", u"/*", u"*/", u"\"'", u""},
    CodeLanguage{u"python py python3 py3 starlark bazel", Form::kCode,
        u"False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
        u"#", u"", u"", u"\"'", u"\"'"},
    CodeLanguage{u"javascript js jsx mjs node typescript ts tsx", Form::kCode,
        u"abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface let namespace never new null number of private protected public readonly return set static string super switch this throw true try type typeof undefined unknown var void while with yield",
        u"//", u"/*", u"*/", u"\"'", u"`"},
    CodeLanguage{u"java kotlin kt scala groovy gradle", Form::kCode,
        u"abstract as assert boolean break byte case catch char class companion const constructor continue data def default do double else enum extends false final finally float for fun goto if implements import in init instanceof int interface internal is lateinit lazy long match native new null object open operator override package private protected public record return sealed short static strictfp super suspend switch synchronized this throw throws trait transient true try typealias val var void volatile when while with yield",
        u"//", u"/*", u"*/", u"\"'", u"\""},
    CodeLanguage{u"csharp cs c#", Form::kCode,
        u"abstract as async await base bool break byte case catch char checked class const continue decimal default delegate do double dynamic else enum event explicit extern false finally fixed float for foreach get goto if implicit in int interface internal is lock long namespace new null object operator out override params partial private protected public readonly record ref return sbyte sealed set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile while yield",
        u"//", u"/*", u"*/", u"\"'", u""},
    CodeLanguage{u"go golang", Form::kCode,
        u"any bool break byte case chan complex128 complex64 const continue default defer else error fallthrough false float32 float64 for func go goto if import int int16 int32 int64 int8 interface iota map nil package range return rune select string struct switch true type uint uint16 uint32 uint64 uint8 var",
        u"//", u"/*", u"*/", u"\"'", u"`"},
    CodeLanguage{u"rust rs", Form::kCode,
        u"Err None Ok Self Some as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i128 i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self static str struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while",
        u"//", u"/*", u"*/", u"\"", u""},
    CodeLanguage{u"swift", Form::kCode,
        u"Any Self actor as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator override private protocol public repeat rethrows return self some static struct subscript super switch throw throws true try typealias var where while",
        u"//", u"/*", u"*/", u"\"", u"\""},
    CodeLanguage{u"bash sh shell zsh console terminal shellscript", Form::kCode,
        u"alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local printf read readonly return select set shift source then trap unset until while",
        u"#", u"", u"", u"\"'", u""},
    CodeLanguage{u"sql postgres postgresql mysql sqlite", Form::kCode,
        u"add all alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists explain foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer over partition primary references returning right rollback select set table then transaction trigger union unique update using values view when where with",
        u"--", u"/*", u"*/", u"\"'", u"", true},
    CodeLanguage{u"json jsonc json5 jsonl", Form::kKeys, u"false null true", u"//", u"/*", u"*/", u"\"", u""},
    CodeLanguage{u"yaml yml", Form::kKeys, u"false no null off on true yes", u"#", u"", u"", u"\"'", u""},
    CodeLanguage{u"toml ini conf cfg properties dotenv env", Form::kKeys, u"false no off on true yes", u"# ;", u"", u"", u"\"'", u""},
    CodeLanguage{u"html xml svg xhtml vue svelte qml-xml", Form::kMarkup, u"", u"", u"<!--", u"-->", u"\"'", u""},
    CodeLanguage{u"css scss less", Form::kKeys,
        u"auto block flex grid hidden inherit initial none important", u"//", u"/*", u"*/", u"\"'", u""},
    CodeLanguage{u"diff patch", Form::kDiff, u"", u"", u"", u"", u"", u""},
    CodeLanguage{u"cmake", Form::kCode,
        u"add_executable add_library add_subdirectory add_test cmake_minimum_required else elseif endforeach endfunction endif endmacro find_package foreach function if include install list macro message option project return set target_compile_options target_include_directories target_link_libraries",
        u"#", u"", u"", u"\"", u"", true},
    CodeLanguage{u"make makefile dockerfile docker", Form::kCode,
        u"ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL USER VOLUME WORKDIR define else endef endif export ifdef ifeq ifndef ifneq include override",
        u"#", u"", u"", u"\"'", u""},
    CodeLanguage{u"lua", Form::kCode,
        u"and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
        u"--", u"--[[", u"]]", u"\"'", u""},
    CodeLanguage{u"php", Form::kCode,
        u"abstract and array as break case catch class clone const continue declare default do echo else elseif extends false final finally fn for foreach function global if implements include instanceof interface isset match namespace new null or private protected public readonly require return static switch this throw trait true try use var while yield",
        u"// #", u"/*", u"*/", u"\"'", u""},
    CodeLanguage{u"ruby rb", Form::kCode,
        u"alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or puts redo require rescue retry return self super then true undef unless until when while yield",
        u"#", u"", u"", u"\"'", u""},
    CodeLanguage{u"r julia jl matlab octave", Form::kCode,
        u"FALSE NA NULL TRUE abstract begin break catch const continue do else elseif end export false finally for function global if import in let library local macro module mutable next primitive quote repeat return struct true try type using where while",
        u"# %", u"", u"", u"\"", u"\""},
    CodeLanguage{u"haskell hs ocaml ml elm fsharp", Form::kCode,
        u"and as begin case class data default deriving do done else end exception external false for foreign forall fun function if import in infix infixl infixr instance let match module mutable new newtype object of open or rec sig struct then to true try type val where while with",
        u"--", u"{-", u"-}", u"\"", u""},
};
// clang-format on

bool hasWord(QStringView words, QStringView word) {
    for (const QStringView each : words.tokenize(u' ')) {
        if (each.compare(word, Qt::CaseInsensitive) == 0) return true;
    }
    return false;
}

}  // namespace

const CodeLanguage* codeLanguage(QStringView name) {
    if (name.isEmpty()) return nullptr;
    for (const CodeLanguage& language : kLanguages) {
        if (hasWord(language.names, name)) return &language;
    }
    return nullptr;
}

}  // namespace pal::desktop
