import { expect, test } from 'bun:test'
import { parseEnvironmentFile } from '../../src/config/environmentFile.ts'

/** As systemd 252 reads them: src/basic/env-file.c. */
const rows: readonly [text: string, read: Readonly<Record<string, string>>][] = [
  ['PORT=8080\nHOST=::1', { PORT: '8080', HOST: '::1' }],
  ['PORT=8080 # the usual one', { PORT: '8080 # the usual one' }],
  ['# PORT=1\n;HOST=x\n  # indented\nA=1', { A: '1' }],
  ['# a comment goes on \\\nPORT=1\nA=1', { A: '1' }],
  ['PASSWORD=a#b;c', { PASSWORD: 'a#b;c' }],
  ['  A = 1 \t\r\nB=\t2\r\n', { A: '1', B: '2' }],
  ['A=\nB=2', { A: '', B: '2' }],
  [`A='x y # z'  \nB="x 'y'"`, { A: 'x y # z', B: "x 'y'" }],
  [`A='one' "two"three four `, { A: 'onetwothree four' }],
  ['A="1\n2"\nB=3', { A: '1\n2', B: '3' }],
  ['A="\\"\\$\\n\\\\"', { A: '"$\\n\\' }],
  ["A='\\n'", { A: '\\n' }],
  ['A=one\\\n two\nB=a\\ b\\\\', { A: 'one two', B: 'a b\\' }],
  ['A=it"s', { A: 'it"s' }],
  ['no name\nexport A=1\n1A=1\nB=2', { B: '2' }],
  ['\uFEFFA=1\nB=2', { B: '2' }],
  ['A=b=c', { A: 'b=c' }],
  ['A="open\nB=1', { A: 'open\nB=1' }],
  ['A=1\nA=2', { A: '2' }],
  ['', {}],
]

test.each(rows)('%j', (text, read) => {
  expect(parseEnvironmentFile(text)).toEqual(read)
})
