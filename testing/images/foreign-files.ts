import { deflateRawSync } from 'node:zlib'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const behind = (head: string, length = 256): Buffer => Buffer.concat([latin1(head), Buffer.alloc(length, 0x41)])
const entities = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join(
  '',
)

/** Files that are not images of a supported format, by their kind. */
export const foreignFiles: Readonly<Record<string, Buffer>> = {
  'SVG with a script': latin1('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'SVG with an event': latin1('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'SVG, packed': Buffer.concat([latin1('\x1f\x8b\x08\0\0\0\0\0\0\x03'), deflateRawSync('<svg/>')]),
  'an XML entity bomb': latin1(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${entities}]><svg>&l9;</svg>`),
  'an external entity': latin1('<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
  MVG: latin1("push graphic-context\nviewbox 0 0 64 64\nfill 'url(https://127.0.0.1:1/)'\npop graphic-context"),
  MSL: latin1('<?xml version="1.0"?><image><read filename="/etc/passwd"/><write filename="/tmp/x"/></image>'),
  EPS: latin1('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 64 64\n(x) run showpage'),
  'EPS with a preview': behind('\xc5\xd0\xd3\xc6\x20\0\0\0'),
  PSD: behind('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x40\0\0\0\x40\0\x08\0\x03'),
  'TIFF, little endian': behind('II*\0\x08\0\0\0\0\0'),
  'TIFF, big endian': behind('MM\0*\0\0\0\x08\0\0'),
  BigTIFF: behind('II+\0\x08\0\0\0'),
  'a raw photograph': behind('IIU\0\x18\0\0\0'),
  ICO: behind('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0'),
  BMP: behind('BM\x36\x01\0\0\0\0\0\0\x36\0\0\0'),
  PDF: latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
  HTML: latin1('<!doctype html><html><script>alert(document.domain)</script></html>'),
  'HTML behind spaces': latin1('   \n\n<html><body onload=alert(1)>'),
  JavaScript: latin1('GIF=1;alert(1)//'),
  PHP: latin1("<?php system($_GET['c']); ?>"),
  'an HEVC sequence': behind('\0\0\0\x18ftyphevc\0\0\0\0msf1hevc'),
  'HEIF of another coding': behind('\0\0\0\x18ftypmif1\0\0\0\0mif1vvic'),
  'an AVIF sequence': behind('\0\0\0\x1cftypavis\0\0\0\0avisavifmif1'),
  MP4: behind('\0\0\0\x18ftypisom\0\0\x02\0isomavc1'),
  'JPEG XL': behind('\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl '),
  'JPEG XL without a container': behind('\xff\x0a\xfa\x1f\x01\x90'),
  'JPEG 2000': behind('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 \0\0\0\0jp2 '),
  WebM: behind('\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x23B\x86\x81\x01'),
  'sound in RIFF': behind('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'),
  'an animated cursor': behind('RIFF\x24\0\0\0ACONanih\x24\0\0\0'),
  ZIP: behind('PK\x03\x04\x14\0\0\0\x08\0'),
  gzip: behind('\x1f\x8b\x08\0\0\0\0\0'),
  ELF: behind('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0'),
  'a Windows program': behind('MZ\x90\0\x03\0\0\0'),
  'a shell script': latin1('#!/bin/sh\nrm -rf /\n'),
  'a JPEG behind a byte': behind(' \xff\xd8\xff\xe0'),
  'a PNG behind a byte order mark': behind('\xef\xbb\xbf\x89PNG\r\n\x1a\n'),
  MNG: behind('\x8aMNG\r\n\x1a\n'),
  JNG: behind('\x8bJNG\r\n\x1a\n'),
  'a PNG with its line ends changed': behind('\x89PNG\n\x1a\n\0'),
  'a GIF of no version': behind('GIF88a\x10\0\x10\0'),
}
