import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { useBlocking } from '../contacts/Blocking.tsx'
import { contactName } from '../contacts/queries.ts'
import { GiveForm } from './GiveForm.tsx'
import { searchWith } from './hitQueries.ts'
import type { ConversationPage } from './queries.ts'

const words = texts.conversations

type Sorted = Pick<ConversationPage, 'contact' | 'isDone' | 'phoneNumberId' | 'takenBy' | 'upTo' | 'unread'>

/** Who takes care of a conversation, and whether it is done: a viewer sees it, a member changes it. */
export function Sorting({ contactId, sorted }: { contactId: string; sorted: Sorted }) {
  const { contact: person, isDone, takenBy, upTo, unread } = sorted
  const { block, unblock } = useBlocking(sorted)
  const { id: workspaceId, can } = useWorkspace()
  const [, goTo] = useLocation()
  const { user } = useAccount()
  const { routes, change, refresh } = useWorkspaceRoutes()
  const contact = routes.contacts({ contactId })
  const { conversation } = contact
  const saving = useMutation({
    mutationFn: async (ask: 'take' | 'giveBack' | 'finish' | 'reopen' | 'unread') => {
      if (ask === 'unread') {
        const answer = await answerOf(contact.unread.post({ upTo }))
        // Who looks at it reads it. Who has gone elsewhere meanwhile stays there.
        const { pathname, search } = window.location
        if (answer.wasChanged && pathname.endsWith(`/conversations/${contactId}`))
          goTo(`/w/${workspaceId}/conversations${searchWith(search)}`)
        await refresh('conversations')
        return answer
      }
      if (ask === 'finish' || ask === 'reopen') {
        const doneUpTo = ask === 'finish' ? upTo : null
        return change(conversation.state.post({ doneUpTo }), 'conversations')
      }
      const next = ask === 'take' ? user.id : null
      return change(conversation.taker.post({ takenBy: next, insteadOf: takenBy?.userId ?? null }), 'conversations')
    },
    // Somebody else was faster: the page shows who.
    onError: () => refresh('conversations'),
  })
  const isMine = takenBy?.userId === user.id
  const state = isDone ? words.isDone : isMine ? words.takenByYou : takenBy && words.takenBy(takenBy.name)
  return (
    <>
      <Group gap="xs" ml="auto">
        {state && (
          <Text size="sm" c="dimmed" className="breakable">
            {state}
          </Text>
        )}
        {can('member') && (
          <Group gap="xs" wrap="nowrap">
            {!isDone && unread === 0 && upTo > 0 && (
              <ActionIcon
                {...{ variant: 'default', size: 26, 'aria-label': words.markUnread, title: words.markUnread }}
                onClick={() => saving.mutate('unread')}
              >
                <IconMail size={16} />
              </ActionIcon>
            )}
            <Button.Group aria-busy={saving.isPending}>
              {!isDone && takenBy && !isMine && (
                <ConfirmButton
                  label={words.takeOver}
                  button={{ size: 'compact-sm', variant: 'default' }}
                  title={words.takeOverTitle(takenBy.name)}
                  confirmLabel={words.takeOver}
                  isHarmless
                  onConfirm={() => saving.mutateAsync('take')}
                >
                  <Text size="sm">{words.takeOverHint(takenBy.name)}</Text>
                </ConfirmButton>
              )}
              {!isDone && (isMine || !takenBy) && (
                <Button size="compact-sm" variant="default" onClick={() => saving.mutate(isMine ? 'giveBack' : 'take')}>
                  {isMine ? words.giveBack : words.take}
                </Button>
              )}
              <Button size="compact-sm" variant="default" onClick={() => saving.mutate(isDone ? 'reopen' : 'finish')}>
                {isDone ? words.reopen : words.finish}
              </Button>
            </Button.Group>
            <ActionMenu
              of={contactName(person)}
              actions={[
                {
                  label: words.give,
                  title: words.giveTitle,
                  dialog: close => <GiveForm contactId={contactId} takenBy={takenBy?.userId ?? null} onClose={close} />,
                },
                ...[unblock, block].filter(asking => asking !== null),
              ]}
            />
          </Group>
        )}
      </Group>
      {saving.data?.wasChanged === false && (
        <Text size="sm" role="status">
          {words.changedMeanwhile}
        </Text>
      )}
      {saving.error && <ErrorView error={saving.error} />}
    </>
  )
}
