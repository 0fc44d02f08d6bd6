import { type Routes, useWorkspaceQuery } from '../../app/workspaceData.ts'

const readSetup = (routes: Routes) => routes.setup.get()
export type Setup = NonNullable<Awaited<ReturnType<typeof readSetup>>['data']>

/** While the user works on the steps, so that each is ticked off automatically. */
const watchMs = 2_000

/** The five steps in their order. The workspace is there. */
export const stepsOf = (setup: Setup): readonly boolean[] => [
  true,
  setup.hasChannel,
  setup.hasActiveLine,
  setup.hasTemplate,
  setup.hasKey && setup.hasDelivered,
]

export const isComplete = (setup: Setup): boolean => stepsOf(setup).every(Boolean)

/** The state of the first steps. @param isWatched polls until all are done */
export const useSetup = (isWatched = false) =>
  useWorkspaceQuery(['setup'], readSetup, {
    refetchInterval: ({ state: { data } }) => (isWatched && data && !isComplete(data) ? watchMs : false),
  })
