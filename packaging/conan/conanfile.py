# SPDX-License-Identifier: Apache-2.0
"""Conan 2: `conan create packaging/conan`.

Without the options json and file ingot depends on nothing.
"""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class Ingot(ConanFile):
    name = "ingot"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "One C++ type, every representation: live blocks that are their own message, packed messages, views, documents, JSON, files"
    topics = ("serialization", "zero-copy", "reflection", "json", "messagepack", "cbor", "mmap")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], "json": [True, False], "file": [True, False], "tool": [True, False]}
    default_options = {"fPIC": True, "json": True, "file": True, "tool": False}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "tools/*", "modules/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 23)
        if self.options.tool and not (self.options.json and self.options.file):
            raise ConanInvalidConfiguration("the tool needs the options json and file")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.json:
            self.requires("simdjson/[>=3.0 <4]", transitive_libs=True)
        if self.options.file:
            self.requires("xxhash/[>=0.8 <1]")
            self.requires("lz4/[>=1.9 <2]", transitive_libs=True)
            self.requires("zstd/[>=1.5 <2]", transitive_libs=True)
        if self.options.tool:
            self.requires("cli11/[>=2.3 <3]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("json", "file", "tool"):
            toolchain.cache_variables[f"INGOT_{option.upper()}"] = bool(self.options.get_safe(option))
        toolchain.cache_variables["INGOT_TESTS"] = False
        toolchain.cache_variables["INGOT_EXAMPLES"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        copy(self, "ingot-compile-data.cmake", os.path.join(self.source_folder, "cmake"), os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake", "ingot"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "ingot")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "ingot::ingot")
        core.set_property("pkg_config_name", "ingot")
        core.libs = ["ingot"]
        headers = self.cpp_info.components["header_only"]
        headers.set_property("cmake_target_name", "ingot::header_only")
        headers.defines = ["INGOT_HEADER_ONLY"]
        headers.bindirs, headers.libdirs = [], []
        for name, libraries in {"json": ["simdjson::simdjson"], "file": ["lz4::lz4", "zstd::zstd", "xxhash::xxhash"]}.items():
            if self.options.get_safe(name):
                part = self.cpp_info.components[name]
                part.set_property("cmake_target_name", f"ingot::{name}")
                part.set_property("pkg_config_name", f"ingot-{name}")
                part.libs = [f"ingot_{name}"]
                part.requires = ["core", *libraries]
                if name == "file" and self.settings.os in ("Linux", "FreeBSD"):
                    part.system_libs = ["pthread"]
        if self.options.tool:
            self.cpp_info.components["tool"].requires = ["json", "file", "cli11::cli11"]
        if self.options.json and self.options.file:
            self.cpp_info.set_property("cmake_build_modules", [os.path.join("lib", "cmake", "ingot-compile-data.cmake")])
