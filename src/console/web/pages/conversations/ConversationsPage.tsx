import { Button, Center, Stack, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import { hasKeys } from '../../app/keyboard.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type KeyRow, KeyRows } from '../../components/KeyRows.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { ContactPanel } from './ContactPanel.tsx'
import { ConversationView } from './Conversation.tsx'
import { ConversationList } from './ConversationList.tsx'
import { FinishedNote, type FinishedOne } from './FinishedNote.tsx'
import { ThreadSearch } from './Hits.tsx'
import { noHit } from './hitQueries.ts'
import { NewMessage } from './NewMessage.tsx'
import { shows, useConversation, useCounts, useUnreadCount } from './queries.ts'
import type { Panel } from './Sorting.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import { useIsCompact, useIsNarrow, useIsRoomy, useIsTight } from './widths.ts'

const words = texts.conversations

/** Who wrote, and the conversation that was chosen: beside each other, on a telephone one after the other. */
export function ConversationsPage() {
  const { contactId } = useParams()
  const list = useFocusBehind(contactId)
  const [finished, setFinished] = useState<FinishedOne | null>(null)
  const panel = usePanel(contactId)
  return (
    <div className="conversations" data-chosen={contactId !== undefined || undefined}>
      <div className="conversation-list" ref={list}>
        <PageHeader title={words.title} actions={<NewMessage label={words.beginShort} />} isDense />
        <ConversationList chosen={contactId} />
      </div>
      <div className="conversation-pane">
        {contactId === undefined ? (
          <Choose />
        ) : (
          <Chosen key={contactId} contactId={contactId} panel={panel} onFinished={setFinished} />
        )}
      </div>
      {contactId !== undefined && panel.isOpen && <ContactPanel contactId={contactId} panel={panel} />}
      {finished && <FinishedNote key={finished.contactId} one={finished} onClose={() => setFinished(null)} />}
    </div>
  )
}

/** Who leaves a conversation by what was in it goes on at its row, or above the list. @returns a ref for the list */
function useFocusBehind(contactId: string | undefined) {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(contactId)
  useEffect(() => {
    const left = before.current
    before.current = contactId
    if (left === undefined || contactId !== undefined || document.activeElement !== document.body) return
    const row = list.current?.querySelector<HTMLElement>(`[data-row-link][href*="/${left}"]`)
    const place = row ?? list.current?.querySelector('h1')
    place?.focus({ preventScroll: !row })
  }, [contactId])
  return list
}

const keys: readonly KeyRow[] = [
  [['j'], words.nextOne],
  [['Enter'], words.openIt],
  [['n'], texts.keyboard.nextUnread],
  [['c'], texts.keyboard.begin],
  [['?'], texts.keyboard.title],
]

/** Beside a list of which nothing is chosen: what waits to be read. */
function Choose() {
  const { id: workspaceId } = useWorkspace()
  const unread = useUnreadCount()
  const { open, unread: count = 0 } = useCounts().data ?? {}
  const { unread: isUnreadOnly, show: shown } = useFilters({ unread: '', show: shows[0] })[0]
  // The list says that there is none.
  if (open === 0 && shown === shows[0]) return null
  // Where all are unread, the list is that of the unread ones already.
  const isPart = open === undefined || count < open
  const show = unread !== null && isPart && isUnreadOnly === '' && shown !== 'done' && (
    <Button component={Link} href={`/w/${workspaceId}/conversations?unread=true`} variant="light">
      {words.showUnread(unread)}
    </Button>
  )
  return (
    <Center h="100%" className="conversation-wall">
      <Stack align="center" gap="md" ta="center" maw={420}>
        <Title order={2} size="h3">
          {words.chooseTitle}
        </Title>
        {show}
        {hasKeys && <KeyRows rows={keys} />}
      </Stack>
    </Center>
  )
}

/** Who the thread is with: beside it where there is room, unless it was closed; else above it, if asked for. */
function usePanel(contactId: string | undefined): Panel {
  const hasRoom = useIsRoomy()
  const [isOpen, setOpen] = useLocalStorage({
    ...{ key: 'waypost.contactPanel', defaultValue: true, getInitialValueInEffect: false },
  })
  // Above one thread, and not above the next.
  const [above, setAbove] = useState<string | undefined>()
  if (hasRoom) return { isOpen, isAbove: false, toggle: () => setOpen(!isOpen) }
  const isShown = above !== undefined && above === contactId
  return { isOpen: isShown, isAbove: true, toggle: () => setAbove(isShown ? undefined : contactId) }
}

function Chosen(props: { contactId: string; panel: Panel; onFinished: (one: FinishedOne) => void }) {
  const { contactId, panel, onFinished } = props
  const isAlone = useIsNarrow()
  const isCompact = useIsCompact()
  const isTight = useIsTight(panel.isOpen && !panel.isAbove)
  const [page] = useConversation(contactId).data?.pages ?? []
  const { find } = useFilters(noHit)[0]
  const [isOpened, setSearching] = useState(false)
  const isSearching = isOpened || find !== ''
  const [windowPlace, setWindowPlace] = useState<HTMLElement | null>(null)
  return (
    <>
      <ThreadHead
        {...{ contactId, page, isAlone, isCompact, isTight, panel, isSearching, onFinished }}
        windowPlace={setWindowPlace}
        onSearch={() => setSearching(true)}
      />
      {isSearching && <ThreadSearch contactId={contactId} onClose={() => setSearching(false)} />}
      <ConversationView {...{ contactId, windowPlace, isTight }} />
    </>
  )
}
