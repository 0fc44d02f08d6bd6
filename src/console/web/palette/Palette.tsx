import { Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { searchLengthMax } from '../../../base/names.ts'
import { PageBoundary } from '../app/PageBoundary.tsx'
import { texts } from '../texts/texts.ts'
import type { ListState } from './PaletteList.tsx'

const PaletteList = lazy(async () => ({ default: (await import('./PaletteList.tsx')).PaletteList }))

/**
 * The field of the palette, and its list. The field is a combobox whose list is always open (WAI-ARIA APG, combobox):
 * it keeps the focus, and the arrows choose. It stays the same while the code of the list is loaded, so that no letter
 * is lost.
 * @param onClose `leaves` when another page is opened, which takes the focus
 */
export function Palette({ onClose }: { onClose: (leaves: boolean) => void }) {
  const [text, setText] = useState('')
  const [list, setList] = useState<ListState>({ isSearching: true })
  const field = useRef<HTMLInputElement>(null)
  const listKeys = useRef<(event: KeyboardEvent) => void>(null)
  const listId = useId()
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <>
      <TextInput
        ref={field}
        size="md"
        variant="unstyled"
        px="md"
        py="xs"
        leftSection={<IconSearch size={18} />}
        rightSection={list.isSearching && <Loader size="xs" aria-hidden />}
        placeholder={texts.palette.placeholder}
        aria-label={texts.palette.title}
        autoComplete="off"
        spellCheck={false}
        maxLength={searchLengthMax}
        role="combobox"
        aria-expanded={list.optionId !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={list.optionId}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => listKeys.current?.(event)}
      />
      <PageBoundary>
        <Suspense>
          <PaletteList id={listId} text={text} keys={listKeys} onState={setList} onClose={onClose} />
        </Suspense>
      </PageBoundary>
    </>
  )
}
