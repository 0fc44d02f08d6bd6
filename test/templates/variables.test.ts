import { describe, expect, test } from 'bun:test'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { readRequirements } from '../../src/templates/variables.ts'
import { authentication, catalog, couponReminder, invoice, manyButtons, named, plants, record } from './fixtures.ts'

const rows: readonly [what: string, template: TemplateRecord, variables: string][] = [
  ['header, body and URL button share a number', couponReminder, '1 2'],
  ['a URL button alone, and a copy code', manyButtons, '1 copy_code'],
  ['an authentication code', authentication, '1'],
  ['names, and the number of a URL button', named, 'first_name day 1'],
  ['a media header', invoice, '1 header_link'],
  ['a catalog button needs nothing', catalog, ''],
  ['a carousel', plants(2), '1 2 c0_header_link c0_1 c1_header_link c1_1'],
  [
    'numbers ascend, however the text puts them',
    record([{ type: 'BODY', text: '{{2}} {{10}} {{1}} {{2}}' }]),
    '1 2 10',
  ],
  ['lower-case types', record([{ type: 'body', text: 'Hi {{1}}' }]), '1'],
  ['a named marker in a numbered template is text', record([{ type: 'BODY', text: '{{1}} {{name}}' }]), '1'],
  ['no stated format', { ...record([{ type: 'BODY', text: '{{name}}' }]), parameter_format: '' }, 'name'],
  ['empty components', record([]), ''],
  ['components without their fields', record([{ type: 'HEADER' }, { type: 'BUTTONS' }, { type: 'CAROUSEL' }]), ''],
]

describe('the keys that a send must fill', () => {
  test.each(rows)('%s', (_, template, variables) => {
    expect(readRequirements(template).variables.join(' ')).toBe(variables)
  })
})
