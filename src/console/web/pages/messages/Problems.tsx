import { Alert, Code, List } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import type { Issue } from '../../../../base/errors.ts'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'

/** A check counts among the changes of a user, so it waits for a pause in typing. */
const typingMs = 1_000

type Checked = { readonly type: string } & Readonly<Record<string, unknown>>

/** @returns what speaks against a message that a form would send: the check that callers of the API have */
export function useProblems(message: Checked | null): readonly Issue[] {
  const [asked] = useDebouncedValue(JSON.stringify(message), typingMs)
  const checked = useWorkspaceQuery(
    ['message-check', asked],
    routes => routes['message-check'].post({ message: JSON.parse(asked) }),
    {
      ...{ placeholderData: keepPreviousData, retry: false, staleTime: Number.POSITIVE_INFINITY },
      enabled: message !== null && asked !== 'null',
    },
  )
  return message === null ? [] : (checked.data?.problems ?? [])
}

export const Problems = ({ message }: { message: Checked }) => <ProblemList problems={useProblems(message)} />

export function ProblemList({ problems }: { problems: readonly Issue[] }) {
  if (problems.length === 0) return null
  return (
    <Alert color="yellow" role="status" title={texts.messages.problems}>
      <List size="sm">
        {problems.map(({ path, message: what }) => (
          <List.Item key={`${path} ${what}`}>
            {path !== '' && <Code>{path}</Code>} {translated(what)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
