# SPDX-License-Identifier: MIT
"""Prints what OpenCV's OpenCL path makes of a picture, one line per operation: only what
comes out the same each time, which cv2.Canny does not.
"""
import hashlib

import cv2
import numpy

assert cv2.ocl.useOpenCL(), "OpenCV uses no OpenCL"
pixels = numpy.random.default_rng(1).integers(0, 256, (240, 320, 3), dtype=numpy.uint8)
color = cv2.UMat(pixels)
gray = cv2.cvtColor(color, cv2.COLOR_BGR2GRAY)
square = cv2.UMat(pixels[:64, :64, 0].astype(numpy.float32))
RESULTS = {
    "gray": gray,
    "blur": cv2.GaussianBlur(gray, (7, 7), 2),
    "sobel": cv2.Sobel(gray, cv2.CV_16S, 1, 0),
    "median": cv2.medianBlur(gray, 3),
    "smaller": cv2.resize(color, (100, 50)),
    "opened": cv2.morphologyEx(gray, cv2.MORPH_OPEN, numpy.ones((3, 3), numpy.uint8)),
    "product": cv2.gemm(square, square, 1, None, 0),
}
for name, result in RESULTS.items():
    print(name, hashlib.sha256(result.get().tobytes()).hexdigest())
