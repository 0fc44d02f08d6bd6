import { Modal } from '@mantine/core'
import { type ReactNode, useCallback, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { Palette } from './Palette.tsx'

/** The search over the whole console. @returns it, and a function that opens it */
export function usePalette(): [palette: ReactNode, open: () => void] {
  const [state, setState] = useState<'open' | 'closed' | 'left'>('closed')
  const open = useCallback(() => setState('open'), [])
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
      <Palette onClose={leaves => setState(leaves ? 'left' : 'closed')} />
    </Modal>
  )
  return [palette, open]
}
