import { type Ran, watchStatements } from './statements.ts'

declare const self: Worker

/** The writer's answers, and before them the statements that it ran since the last ones. */
export interface Statements {
  readonly kind: 'statements'
  readonly ran: readonly Ran[]
}

let ran: Ran[] = []
watchStatements(statement => ran.push(statement))

const post = self.postMessage.bind(self)
self.postMessage = (text: string) => {
  if (ran.length > 0) post(JSON.stringify({ kind: 'statements', ran } satisfies Statements))
  ran = []
  post(text)
}

// Only now: what is watched has to be set before the first connection is opened.
await import('../../workers/writer.ts')
