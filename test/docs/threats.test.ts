import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../structure/modules.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sections = read('docs/threats.md').split(/^## /m).slice(1)
/** The lines of the tables, without their heads. */
const rowsOf = (section: string) =>
  section.split('\n').filter(line => line.startsWith('| ') && !line.endsWith('| shown by |'))
const rows = sections.flatMap(rowsOf)
/** A test file, and mostly the title of one test in it. */
const named = /`(test\/[\w/.-]+\.test\.ts)`(?:: "([^"]+)")?/g

/** Quotes and escapes of the source stand in the way of comparing. */
const plain = (text: string) => text.replaceAll('\\', '')

describe('docs/threats.md', () => {
  test('speaks of every secret and place that there is', () => {
    const subjects = sections.map(section => section.slice(0, section.indexOf('\n')))
    expect(subjects).toEqual([
      'An API key',
      'A session of the console',
      'The access token of an account',
      'The app secret',
      'The verify token',
      'The sealing key',
      'The database file',
      '`DATABASE_URL`',
      'A backup',
      'The metrics token',
      'A place on the network',
      'The user of the service or of the container',
      'A malicious upstream',
      'A malicious file server',
      'The receiver of a webhook',
      'The author of a template',
      'An end user',
    ])
    expect(sections.filter(section => rowsOf(section).length === 0)).toEqual([])
    expect(rows.length).toBeGreaterThan(50)
  })

  test('names a test in each of its lines', () => {
    expect(rows.filter(row => row.match(named) === null)).toEqual([])
  })

  test('names tests that exist', () => {
    const missing = rows.flatMap(row =>
      [...row.matchAll(named)]
        .filter(([, path = '', title]) => !existsSync(join(root, path)) || !plain(read(path)).includes(title ?? ''))
        .map(([whole]) => whole),
    )
    expect(missing).toEqual([])
  })
})
