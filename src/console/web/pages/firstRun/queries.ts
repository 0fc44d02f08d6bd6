import { type Routes, useWorkspaceQuery } from '../../app/workspaceData.ts'
import { texts } from '../../texts/texts.ts'

const readSetup = (routes: Routes) => routes.setup.get()
export type Setup = NonNullable<Awaited<ReturnType<typeof readSetup>>['data']>

/** A number reserved for fiction, which the sandbox takes. */
export const sandboxPhone = '+15550150100'

/** While the user works on the steps, so that each is ticked off automatically. */
const watchMs = 2_000

/** The six steps in their order. The words of each have its name. */
export const stepsOf = (setup: Setup) =>
  [
    { name: 'channel', isDone: setup.hasChannel },
    { name: 'line', isDone: setup.hasActiveLine },
    { name: 'templates', isDone: setup.hasTemplate },
    { name: 'message', isDone: setup.hasDelivered },
    { name: 'key', isDone: setup.hasKey },
    { name: 'webhook', isDone: setup.hasWebhook },
  ] as const
export type StepName = ReturnType<typeof stepsOf>[number]['name']

export function progressOf(setup: Setup) {
  const steps = stepsOf(setup)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)?.name ?? null
  return { share: done / steps.length, next, words: texts.firstRun.navigation(done, steps.length) }
}

export const isComplete = (setup: Setup): boolean => progressOf(setup).next === null

/** The state of the first steps. @param isWatched polls until all are done */
export const useSetup = (isWatched = false) =>
  useWorkspaceQuery(['setup'], readSetup, {
    refetchInterval: ({ state: { data } }) => (isWatched && data && !isComplete(data) ? watchMs : false),
  })
