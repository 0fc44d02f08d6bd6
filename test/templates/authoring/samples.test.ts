import { expect, test } from 'bun:test'
import { SAMPLES } from '../../../src/sandbox/state/samples.ts'
import { checkDraft } from '../../../src/templates/authoring/check.ts'
import { draftOf } from '../../../src/templates/authoring/read.ts'

test('a duplicate of a template of the sandbox needs its files again, and nothing else', () => {
  for (const { name, category = 'UTILITY', language, parameter_format = 'POSITIONAL', components } of SAMPLES) {
    const { draft } = draftOf({ name, category, language, parameter_format, components, id: '1', status: 'APPROVED' })
    const issues = checkDraft({ ...draft, name: `${name}_copy` })
    expect([name, issues.filter(({ path }) => !path.endsWith('/handle'))]).toEqual([name, []])
  }
})
