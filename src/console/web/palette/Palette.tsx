import { Loader, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAddressBook, IconMessages } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isPaletteKey } from '../app/keyboard.ts'
import { useWorkspaceIfAny } from '../app/session.tsx'
import { ErrorView } from '../components/ErrorView.tsx'
import { texts } from '../texts/texts.ts'
import { useCommands } from './commands.ts'
import { type Entry, type EntryGroup, isMeant } from './entries.ts'
import { PaletteField } from './PaletteField.tsx'
import { useFound } from './searches.ts'

const words = texts.palette
/** A pause in typing, after which the gateway is asked. */
const typingMs = 200

/**
 * The search over the whole console: pages, commands, and what the workspace has. The field is a combobox whose list is
 * always open (WAI-ARIA APG, combobox): it keeps the focus, and the arrows choose.
 * @param props `typed`: while this was loaded. `onClose`: `leaves` when another page is opened, which takes the focus
 */
export function Palette({ typed, onClose }: { typed: RefObject<string>; onClose: (leaves: boolean) => void }) {
  const [written, setWritten] = useState(() => typed.current)
  const [, navigate] = useLocation()
  const { groups, isSearching, failed } = useEntries(written.trim())
  const entries = groups.flatMap(group => group.entries)
  // By its id: what is found later must not put another entry below the finger on Enter.
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = entries.find(({ id }) => id === chosenId) ?? entries[0]
  const listId = useId()
  const idOf = ({ id }: Entry) => `${listId} ${id}`.replaceAll(/[^\w-]/g, '_')
  const list = useRef<HTMLDivElement>(null)

  const acting = useMutation({ mutationFn: async (act: () => unknown) => act(), onSuccess: () => onClose(false) })
  function run({ to }: Entry) {
    if (typeof to !== 'string') return acting.mutate(to)
    onClose(true)
    navigate(to)
  }
  function step(by: 1 | -1) {
    const at = chosen === undefined ? -1 : entries.indexOf(chosen)
    const next = entries[(at + by + entries.length) % entries.length]
    if (!next) return
    setChosenId(next.id)
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
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
      <PaletteField
        rightSection={isSearching ? <Loader size="xs" aria-hidden /> : null}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen && idOf(chosen)}
        value={written}
        onChange={event => {
          setWritten(event.currentTarget.value)
          setChosenId(null)
          list.current?.scrollTo({ top: 0 })
        }}
        onKeyDown={onKeyDown}
      />
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
                onMouseMove={() => setChosenId(entry.id)}
                onClick={() => run(entry)}
              >
                <entry.icon size={18} stroke={1.6} />
                <span className="one-line">{entry.label}</span>
                <span className="palette-detail one-line">{entry.detail}</span>
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
        {written !== '' && !isSearching && (entries.length === 0 ? words.none : words.count(entries.length))}
      </VisuallyHidden>
    </div>
  )
}

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
    ],
  }
  const fitting = commands.map(({ heading, entries }) => ({
    heading,
    entries: entries.filter(({ label }) => isMeant(text, label)),
  }))
  return {
    groups: [...fitting, ...(isCurrent ? found : []), ...(workspace && text !== '' ? [lists] : [])].filter(
      ({ entries }) => entries.length > 0,
    ),
    isSearching: isSearching || !isCurrent,
    failed,
  }
}
