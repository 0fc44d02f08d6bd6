import { useMediaQuery } from '@mantine/hooks'

/** @returns whether the screen is so; known at the first drawing */
const useMatch = (query: string) => useMediaQuery(query, window.matchMedia(query).matches)

/** As in conversations.css. @returns whether there is room for the list or the conversation alone, as on a telephone */
export const useIsNarrow = () => useMatch('(max-width: 48em)')
/** @returns whether what is done seldom has no room beside a name, as on a tablet */
export const useIsCompact = () => useMatch('(max-width: 62em)')
/** @returns whether words beside a name would cut it. @param hasPanel the contact stands beside the thread */
export const useIsTight = (hasPanel: boolean) => useMatch(`(max-width: ${hasPanel ? 88 : 62}em)`)
/** @returns whether the contact has room beside the thread */
export const useIsRoomy = () => useMatch('(min-width: 78em)')
