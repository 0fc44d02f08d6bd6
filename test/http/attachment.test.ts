import { expect, test } from 'bun:test'
import { attachment } from '../../src/http/attachment.ts'

test.each([
  ['invoice 12.pdf', 'attachment; filename="invoice 12.pdf"'],
  ['../../etc/passwd', 'attachment; filename="_.._etc_passwd"'],
  ['C:\\a\\b.txt', 'attachment; filename="C__a_b.txt"'],
  ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
  ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie_ x=1"'],
  ['..', 'attachment; filename="file"'],
  ['', 'attachment; filename="file"'],
  // What old clients would decode.
  ['100%41.pdf', `attachment; filename="100_41.pdf"; filename*=UTF-8''100%2541.pdf`],
  ['Übersicht (1).pdf', `attachment; filename="_bersicht (1).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf`],
  // U+202E would show "gpj.exe" as "exe.jpg".
  ['holiday\u202egpj.exe', 'attachment; filename="holiday_gpj.exe"'],
  ['\ud800.txt', 'attachment; filename="_.txt"'],
  [`${'a'.repeat(300)}.pdf`, `attachment; filename="${'a'.repeat(146)}.pdf"`],
])('%j', (name, header) => {
  expect(attachment(name)).toBe(header)
  expect(() => new Headers({ 'content-disposition': header })).not.toThrow()
})
