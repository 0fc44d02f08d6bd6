import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * How the list of a choice scrolls: as the browser scrolls. It stands in the place of the library's own bars, which are
 * 5 kB gzipped (src/console/page/bundle.ts).
 */
export const ScrollAreaAutosize = ({ mah, children }: Pick<BoxProps, 'mah'> & { children: ReactNode }) => (
  <Box mah={mah} style={{ overflowY: 'auto' }}>
    {children}
  </Box>
)

export const ScrollArea = { Autosize: ScrollAreaAutosize }
