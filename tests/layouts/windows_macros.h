// SPDX-License-Identifier: Apache-2.0
// Macros of <windows.h> and the headers that it includes. A program that defines NOMINMAX has all
// but `min` and `max`.
#pragma once

#define near
#define far
#define NEAR
#define FAR
#define small char
#define hyper long long
#define pascal
#define cdecl
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define THIS void
#define TRUE 1
#define FALSE 0
#define ERROR 0
#define NO_ERROR 0L
#define DELETE 0x00010000L
#define READ_CONTROL 0x00020000L
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define STRICT 1
#define DIFFERENCE 11
#define RELATIVE 2
#define ABSOLUTE 1
#define TRANSPARENT 1
#define OVERFLOW 3
#define UNDERFLOW 4
#define DOMAIN 1
#define CALLBACK
#define WINAPI
#define PASCAL
#define Yield()
#define GetObject GetObjectW
#define GetMessage GetMessageW
#define SendMessage SendMessageW
#define CreateFile CreateFileW
#define CopyFile CopyFileW
#define MoveFile MoveFileW
#define DeleteFile DeleteFileW
#define GetCurrentTime() 0
#define rad1 0x0490
#define grp1 0x0430
