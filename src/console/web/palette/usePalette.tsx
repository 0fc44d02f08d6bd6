import { Modal } from '@mantine/core'
import { type ChangeEvent, lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { PageBoundary } from '../app/PageBoundary.tsx'
import { texts } from '../texts/texts.ts'
import { PaletteField } from './PaletteField.tsx'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** The search over the whole console. Its code is loaded when it is opened. @returns it, and a function that opens it */
export function usePalette(): [palette: ReactNode, open: () => void] {
  const [state, setState] = useState<'open' | 'closed' | 'left'>('closed')
  const typed = useRef('')
  const open = useCallback(() => {
    typed.current = ''
    setState('open')
  }, [])
  const keep = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    typed.current = currentTarget.value
  }
  const palette = (
    <Modal
      opened={state === 'open'}
      onClose={() => setState('closed')}
      // The page that was chosen takes the focus.
      returnFocus={state !== 'left'}
      withCloseButton={false}
      padding={0}
      size={620}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': texts.palette.title } }}
    >
      <PageBoundary>
        <Suspense fallback={<PaletteField onChange={keep} />}>
          <Palette typed={typed} onClose={leaves => setState(leaves ? 'left' : 'closed')} />
        </Suspense>
      </PageBoundary>
    </Modal>
  )
  return [palette, open]
}
