import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'

/** While the user works on the steps, so that each is ticked off by itself. */
const watchMs = 2_000

const readSetup = (workspaceId: string) => answerOf(api.workspaces({ workspaceId }).setup.get())
export type Setup = Awaited<ReturnType<typeof readSetup>>

/** The five steps in their order. The workspace is there. */
export const stepsOf = (setup: Setup): readonly boolean[] => [
  true,
  setup.hasChannel,
  setup.hasActiveLine,
  setup.hasTemplate,
  setup.hasKey && setup.hasDelivered,
]

export const isComplete = (setup: Setup): boolean => stepsOf(setup).every(Boolean)

/** What is done of the way to the first delivered message. @param isWatched asks again and again until all is done */
export function useSetup(isWatched = false) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspaceId, 'setup'],
    queryFn: () => readSetup(workspaceId),
    refetchInterval: ({ state: { data } }) => (isWatched && data && !isComplete(data) ? watchMs : false),
  })
}
