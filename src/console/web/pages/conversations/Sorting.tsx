import { ActionIcon, Box, Button, Group, Text } from '@mantine/core'
import { IconCheck, IconUserPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { keyed } from '../../app/keyboard.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Action, ActionMenu } from '../../components/ActionMenu.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { AskingButton, useBlocking } from '../contacts/Blocking.tsx'
import { contactName } from '../contacts/queries.ts'
import type { FinishedOne } from './FinishedNote.tsx'
import { GiveForm } from './GiveForm.tsx'
import { searchWith } from './hitQueries.ts'
import { type ConversationPage, shows } from './queries.ts'

const words = texts.conversations

const isStillAt = (contactId: string) => window.location.pathname.endsWith(`/conversations/${contactId}`)

/** Of the row behind that of a conversation, else before it: it comes next when that one leaves the list. */
function linkBeside(contactId: string): HTMLElement | null {
  const row = document.querySelector(`[data-row-link][href*="/conversations/${contactId}"]`)?.closest('li')
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>('[data-row-link]') ?? null
}

/** The contact beside the thread; where there is no room for it, above it. */
export interface Panel {
  readonly isOpen: boolean
  readonly isAbove: boolean
  readonly toggle: () => void
}

type Sorted = Pick<
  ConversationPage,
  'contact' | 'entries' | 'isDone' | 'lines' | 'older' | 'phoneNumberId' | 'takenBy' | 'upTo' | 'unread'
>

/**
 * Takes a conversation, gives it to somebody, and says that it is done: for a member. What has no room is in the menu.
 * @param props.isCompact its menu has the search, too
 * @param props.isTight *Assign to me* and *Mark as done* are signs, and the menu has *Unassign* or *Take over*: so the
 *   name is whole
 */
export function Sorting(props: {
  contactId: string
  sorted: Sorted
  isCompact: boolean
  isTight: boolean
  panel: Panel
  onFinished: (one: FinishedOne) => void
  onSearch: () => void
}) {
  const { contactId, sorted, isCompact, isTight, panel, onFinished, onSearch } = props
  const { contact: person, entries, isDone, older, takenBy, upTo, unread } = sorted
  const { block, unblock } = useBlocking(sorted)
  const { id: workspaceId, can } = useWorkspace()
  const [, goTo] = useLocation()
  const { user } = useAccount()
  const { routes, change, refresh } = useWorkspaceRoutes()
  const contact = routes.contacts({ contactId })
  const { conversation } = contact
  const { q, show } = useFilters({ q: '', show: shows[0] })[0]
  const saving = useMutation({
    mutationFn: async (ask: 'take' | 'giveBack' | 'finish' | 'reopen' | 'unread') => {
      if (ask === 'unread') {
        const answer = await answerOf(contact.unread.post({ upTo }))
        // Who looks at it reads it. Who has gone elsewhere meanwhile stays there.
        if (answer.wasChanged && isStillAt(contactId))
          goTo(`/w/${workspaceId}/conversations${searchWith(window.location.search)}`)
        await refresh('conversations')
        return answer
      }
      if (ask === 'finish' || ask === 'reopen') {
        const doneUpTo = ask === 'finish' ? upTo : null
        const next = ask === 'finish' && q === '' && show !== 'done' ? linkBeside(contactId) : null
        const answer = await change(conversation.state.post({ doneUpTo }), 'conversations')
        if (answer.wasChanged && next && isStillAt(contactId)) {
          onFinished({ contactId, name: contactName(person), takenBy: takenBy?.userId ?? null })
          next.focus()
          next.click()
        }
        return answer
      }
      const next = ask === 'take' ? user.id : null
      return change(conversation.taker.post({ takenBy: next, insteadOf: takenBy?.userId ?? null }), 'conversations')
    },
    // Somebody else was faster: the page shows who.
    onError: () => refresh('conversations'),
  })
  const isMine = takenBy?.userId === user.id
  const ask = (what: Parameters<typeof saving.mutate>[0]) => () => saving.mutate(what)
  // Where the person has written nothing, nothing can be unread.
  const hasTheirs = older !== null || entries.some(({ isOurs }) => !isOurs)
  const mayMark = !isDone && unread === 0 && upTo > 0 && hasTheirs
  const taking = takenBy && !isMine ? null : isMine ? 'giveBack' : 'take'
  const takeOver = takenBy && {
    label: words.takeOver,
    title: words.takeOverTitle(takenBy.name),
    dialog: {
      text: words.takeOverHint(takenBy.name),
      confirmLabel: words.takeOver,
      isHarmless: true,
      onConfirm: () => saving.mutateAsync('take'),
    },
  }
  const finish = { label: isDone ? words.reopen : words.finish, onChoose: ask(isDone ? 'reopen' : 'finish') }
  const take = taking ? { label: words[taking], onChoose: ask(taking) } : takeOver
  const takeShown = !isDone && (!isTight || taking === 'take') ? take : null
  const mark = { label: words.markUnread, onChoose: ask('unread') }
  const inMenu: readonly (Action | false | null)[] = [
    !panel.isOpen && { label: panel.isAbove ? words.contact : words.showContact, onChoose: panel.toggle },
    isCompact && { label: words.searchThread, onChoose: onSearch },
    ...(can('member')
      ? [
          !isDone && takeShown === null && take,
          mayMark && mark,
          {
            label: words.give,
            title: words.giveTitle,
            dialog: (close: () => void) => (
              <GiveForm contactId={contactId} takenBy={takenBy?.userId ?? null} onClose={close} />
            ),
          },
          ...[unblock, block],
        ]
      : []),
  ]
  const actions = inMenu.filter(action => action !== false && action !== null)
  const button = { size: 'xs', variant: 'default' } as const
  return (
    <>
      {can('member') && (
        <Group gap="xs" wrap="nowrap" aria-busy={saving.isPending}>
          {takeShown &&
            ('dialog' in takeShown ? (
              <AskingButton asking={takeShown} button={button} />
            ) : (
              <Act {...takeShown} of="t" isTight={isTight} sign={isTight && <IconUserPlus size={20} />} />
            ))}
          <Act
            {...finish}
            of="e"
            isTight={isTight}
            sign={!isDone && <IconCheck size={isTight ? 20 : 16} />}
            variant={isDone ? 'default' : 'light'}
          />
        </Group>
      )}
      {/* The menu has them for who points; a key needs something that is there. */}
      {can('member') && isTight && !isDone && taking === 'giveBack' && (
        <Button {...button} className="seen-in-focus" onClick={ask(taking)} {...keyed('t')}>
          {words[taking]}
        </Button>
      )}
      {can('member') && mayMark && (
        <Button {...button} className="seen-in-focus" onClick={mark.onChoose} {...keyed('u')}>
          {mark.label}
        </Button>
      )}
      {actions.length > 0 && <ActionMenu of={contactName(person)} actions={actions} />}
      {saving.data?.wasChanged === false && (
        <Text size="sm" role="status" w="100%">
          {words.changedMeanwhile}
        </Text>
      )}
      {saving.error && (
        <Box w="100%">
          <ErrorView error={saving.error} />
        </Box>
      )}
    </>
  )
}

interface ActProps {
  readonly label: string
  readonly onChoose: () => void
  readonly of: 't' | 'e'
  /** Before its word, or in place of it. */
  readonly sign: ReactNode
  readonly isTight: boolean
  readonly variant?: 'default' | 'light'
}

function Act({ label, onChoose, of, sign, isTight, variant = 'default' }: ActProps) {
  const same = { variant, title: `${label} (${of})`, ...keyed(of), onClick: onChoose }
  return sign && isTight ? (
    <ActionIcon size={40} aria-label={label} {...same}>
      {sign}
    </ActionIcon>
  ) : (
    <Button size="xs" leftSection={sign} {...same}>
      {label}
    </Button>
  )
}
