import { expect, test } from 'bun:test'
import { sniffedType } from '../../../src/media/outgoing/types.ts'
import { files } from './files.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

test.each([
  ['a PNG that is said to be a page', files.png, 'text/html', 'image/png'],
  ['a JPEG', files.jpeg, 'image/jpeg', 'image/jpeg'],
  ['a sticker', files.webp, 'image/webp', 'image/webp'],
  ['a GIF', files.gif, null, 'image/gif'],
  ['a video', files.mp4, 'video/mp4', 'video/mp4'],
  ['a video of an iPhone', files.quickTime, 'video/mp4', 'video/quicktime'],
  ['a voice message', latin('OggS\0\x02'), 'audio/ogg; codecs=opus', 'audio/ogg'],
  ['an AMR', latin('#!AMR\n'), 'audio/amr', 'audio/amr'],
  ['an MP3 with tags', latin('ID3\x04'), 'audio/mpeg', 'audio/mpeg'],
  ['an MP3 without', latin('\xff\xfb\x90'), 'audio/mpeg', 'audio/mpeg'],
  ['an AAC', latin('\xff\xf1\x50'), 'audio/aac', 'audio/aac'],
  ['an M4A', latin('\0\0\0\x1cftypM4A '), 'audio/mp4', 'audio/mp4'],
  ['a PDF', files.pdf, 'application/pdf', 'application/pdf'],
  ['a Word document, which its bytes do not tell from an archive', files.zip, docx, docx],
  ['an archive', files.zip, 'application/zip', 'application/octet-stream'],
  ['a page', files.html, 'text/html', 'application/octet-stream'],
  ['a drawing with a script', files.svg, 'image/svg+xml', 'application/octet-stream'],
  ['a text, of which only the beginning is looked at', files.text, 'text/plain', 'application/octet-stream'],
  ['nothing', files.empty, 'image/png', 'application/octet-stream'],
])('%s', (_, head, declared, type) => {
  expect(sniffedType(head, declared)).toBe(type)
})
