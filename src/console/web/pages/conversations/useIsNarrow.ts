import { useMediaQuery } from '@mantine/hooks'

/** As in conversations.css: below it there is room for the list or the conversation alone. */
const narrow = '(max-width: 48em)'

/** @returns whether the screen is that of a telephone */
export const useIsNarrow = () => useMediaQuery(narrow, window.matchMedia(narrow).matches)
