import { Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAddressBook, IconAlertCircle, IconBook, IconMessageCircle, IconMessages } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isPaletteKey } from '../app/keyboard.ts'
import { useWorkspaceIfAny } from '../app/session.tsx'
import { ErrorView } from '../components/ErrorView.tsx'
import { messagesPath } from '../pages/messages/queries.ts'
import { texts } from '../texts/texts.ts'
import { useCommands } from './commands.ts'
import { type EntryGroup, fitsLabel, type PaletteEntry } from './entries.ts'
import { useFound } from './searches.ts'

const words = texts.palette
/** A pause in typing, after which the gateway is asked. */
const typingMs = 200

/** What the field of the palette shows of its list. */
export interface ListState {
  /** The id of the option that Enter runs. */
  readonly optionId?: string
  readonly isSearching: boolean
}

/**
 * What the palette finds, in groups: pages, commands, and what the workspace has.
 * @param props `keys` gets what the keys of the field do here
 */
export function PaletteList(props: {
  id: string
  text: string
  keys: Ref<(event: KeyboardEvent) => void>
  onState: (state: ListState) => void
  onClose: (leaves: boolean) => void
}) {
  const { id: listId, text, keys, onState, onClose } = props
  const [, navigate] = useLocation()
  const { groups, isSearching, failed } = useEntries(text.trim())
  const entries = groups.flatMap(group => group.entries)
  // By its id: what is found later must not put another entry below the finger on Enter.
  const [choice, setChoice] = useState({ id: '', text })
  const choose = ({ id }: PaletteEntry) => setChoice({ id, text })
  const chosen = entries.find(({ id }) => id === choice.id && text === choice.text) ?? entries[0]
  const idOf = ({ id }: PaletteEntry) => `${listId} ${id}`.replaceAll(/[^\w-]/g, '_')
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another list, which is read from its top.
  useLayoutEffect(() => void list.current?.scrollTo({ top: 0 }), [text])
  const optionId = chosen && idOf(chosen)
  useLayoutEffect(() => onState({ optionId, isSearching }), [optionId, isSearching, onState])

  const acting = useMutation({ mutationFn: async (act: () => unknown) => act(), onSuccess: () => onClose(false) })
  function run({ to }: PaletteEntry) {
    if (typeof to !== 'string') return acting.mutate(to)
    onClose(true)
    navigate(to)
  }
  function step(by: 1 | -1) {
    const at = chosen === undefined ? -1 : entries.indexOf(chosen)
    const next = entries[(at + by + entries.length) % entries.length]
    if (!next) return
    choose(next)
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  useImperativeHandle(keys, () => onKeyDown)
  function onKeyDown(event: KeyboardEvent) {
    // An input method is being used: Enter ends a word.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Enter' && chosen) run(chosen)
    else if (isPaletteKey(event.nativeEvent)) onClose(false)
    else return
    event.preventDefault()
  }

  return (
    <div>
      <div className="palette-list" ref={list} id={listId} role="listbox" aria-label={words.results}>
        {groups.map(({ heading, entries: shown }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, and no fieldset.
          <div key={heading} role="group" aria-label={heading}>
            <Text size="xs" c="dimmed" px="md" pt="xs" pb={4} aria-hidden>
              {heading}
            </Text>
            {shown.map(entry => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
              <div
                key={entry.id}
                id={idOf(entry)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === chosen}
                className="palette-entry"
                onMouseDown={event => event.preventDefault()}
                onMouseMove={() => choose(entry)}
                onClick={() => run(entry)}
              >
                <entry.icon size={18} stroke={1.6} />
                <span className="one-line">
                  <bdi>{entry.label}</bdi>
                </span>
                <span className="palette-detail one-line">
                  <bdi>{entry.detail}</bdi>
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {acting.error && <ErrorView error={acting.error} />}
      {failed.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" px="md" pb="sm" role="alert">
          {words.failed(failed.join(', '))}
        </Text>
      )}
      {entries.length === 0 && !isSearching && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {words.none}
        </Text>
      )}
      <VisuallyHidden role="status">
        {text !== '' && !isSearching && (entries.length === 0 ? words.none : words.count(entries.length))}
      </VisuallyHidden>
    </div>
  )
}

/** As the platform writes its codes; where none is meant, two entries more do no harm. */
const errorCode = /^\d{3,7}$/

const errorEntries = (workspaceId: string, code: string): PaletteEntry[] => [
  {
    id: 'failed',
    label: words.failedWith(code),
    icon: IconAlertCircle,
    to: messagesPath(workspaceId, { cause: code }),
  },
  { id: 'meaning', label: words.meaningOf(code), icon: IconBook, to: () => window.open(`/docs/errors#${code}`) },
]

/** What fits the text, under its headings. */
function useEntries(text: string) {
  const workspace = useWorkspaceIfAny()
  const commands = useCommands()
  const [settled] = useDebouncedValue(text, typingMs)
  const { groups: found, isSearching, failed } = useFound(settled)
  // What was found for an earlier text must not be opened by Enter.
  const isCurrent = settled === text
  const query = new URLSearchParams({ q: text })
  const base = `/w/${workspace?.id}`
  const lists: EntryGroup = {
    heading: texts.common.search,
    entries: [
      { id: 'messages', label: words.messagesWith(text), icon: IconMessages, to: `${base}/messages?${query}` },
      { id: 'contacts', label: words.contactsWith(text), icon: IconAddressBook, to: `${base}/contacts?${query}` },
      {
        ...{ id: 'conversations', label: words.conversationsWith(text), icon: IconMessageCircle },
        to: `${base}/conversations?${query}`,
      },
      { id: 'guides', label: words.guidesWith(text), icon: IconBook, to: () => window.open(`/docs/guides?${query}`) },
      ...(errorCode.test(text) ? errorEntries(workspace?.id ?? '', text) : []),
    ],
  }
  const fitting = commands.map(({ heading, entries }) => ({
    heading,
    entries: entries.filter(({ label, detail = '', sought = '' }) => fitsLabel(text, `${label} ${detail} ${sought}`)),
  }))
  return {
    groups: [...fitting, ...(isCurrent ? found : []), ...(workspace && text !== '' ? [lists] : [])].filter(
      ({ entries }) => entries.length > 0,
    ),
    isSearching: isSearching || !isCurrent,
    failed,
  }
}
