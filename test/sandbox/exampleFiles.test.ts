import { describe, expect, test } from 'bun:test'
import { fileKindOf, isMonoOpus, isOfType } from '../../src/sandbox/checks/sniff.ts'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'

/** What a player needs beyond the first bytes, by which a stub is known. */
const isWhole: Readonly<Record<string, (file: Buffer) => boolean>> = {
  image: file => file.subarray(-2).equals(Buffer.from([0xff, 0xd9])),
  sticker: file => file.readUInt32LE(4) + 8 === file.length,
  video: file => {
    const boxes: string[] = []
    for (let at = 0; at < file.length; at += file.readUInt32BE(at)) boxes.push(file.toString('latin1', at + 4, at + 8))
    // The index stands before the pictures: it plays while it is loaded.
    return boxes.indexOf('moov') > 0 && boxes.indexOf('mdat') > boxes.indexOf('moov')
  },
  audio: file => {
    const lastPage = file.lastIndexOf('OggS')
    const samples = Number(file.readBigUInt64LE(lastPage + 6))
    // Opus counts 48,000 a second, whatever was recorded.
    return isMonoOpus(file) && file[lastPage + 5] === 4 && samples >= 48_000 && samples < 60_000
  },
  document: file => {
    const text = file.toString('latin1')
    return text.startsWith('xref', Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]))
  },
}

describe('the example file', () => {
  test.each(Object.keys(exampleFiles))('%s is a real one, of its type and small', kind => {
    const { bytes, mimeType } = exampleFiles[kind] ?? { bytes: new Uint8Array(), mimeType: '' }
    expect(String(fileKindOf(mimeType))).toBe(kind)
    expect([isOfType(mimeType, bytes), isWhole[kind]?.(Buffer.from(bytes))]).toEqual([true, true])
    expect(bytes.length).toBeLessThan(4_096)
  })
})
