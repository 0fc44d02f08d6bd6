import { Elysia } from 'elysia'
import { closed, Type } from '../../base/schema.ts'
import { causeWords } from '../../graph/failures.ts'
import type { TemplateNumbers } from '../../message/templateNumbers.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { isoOrNull, orNull, textOrNull, wired } from '../shapes.ts'
import { templateNumbersReader } from './numbers.ts'

const numbers = closed({
  since: Type.String({ description: 'The first of its days, of UTC: `2026-01-31`.' }),
  sent: Type.Integer({ description: 'All that were accepted, also those that failed later.' }),
  failed: Type.Integer(),
  cause: orNull(closed({ cause: Type.String(), words: Type.String(), count: Type.Integer() }), {
    description: 'Why most of them failed.',
  }),
})
const answer = wired('TemplateNumbers', {
  templates: Type.Array(
    closed({
      name: Type.String(),
      language: Type.String({ description: 'Empty for what was sent before languages were kept.' }),
      week: Type.Union([numbers], { description: 'The last 7 days.' }),
      month: Type.Union([numbers], { description: 'The last 30 days.' }),
    }),
  ),
  countedUntil: Type.Union([textOrNull], { description: 'Later messages are not all counted yet; null: all are.' }),
  failuresSince: Type.Union([textOrNull], { description: 'Only failures since then were counted; null: all were.' }),
})

/** `GET …/template-numbers`: which templates fail, and why. */
export function templateNumberRoutes(parts: ConsoleParts) {
  const readNumbers = templateNumbersReader(parts)
  return new Elysia({ name: 'console-template-numbers', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/template-numbers',
    async ({ member }) => {
      const { periods, templates, until, from } = await readNumbers(member)
      const shown = (of: TemplateNumbers, period: keyof typeof periods) => ({
        ...of,
        since: periods[period],
        cause: of.cause && { ...of.cause, words: causeWords(of.cause.cause) },
      })
      return {
        templates: templates.map(({ name, language, week, month }) => ({
          ...{ name, language },
          week: shown(week, 'week'),
          month: shown(month, 'month'),
        })),
        countedUntil: isoOrNull(until),
        failuresSince: isoOrNull(from),
      }
    },
    {
      role: 'viewer',
      response: answer,
      summary: 'Numbers of templates',
      description: 'How many messages each template was sent with, how many failed, and why, by name and language.',
    },
  )
}
