import { channelNavigation, channelPages } from '../pages/channels/pages.ts'
import { entryPages } from '../pages/entry/pages.ts'
import { keyNavigation, keyPages } from '../pages/keys/pages.ts'
import { settingsNavigation, settingsPages } from '../pages/settings/pages.ts'
import { templateNavigation, templatePages } from '../pages/templates/pages.ts'
import type { NavigationLink, Page } from './page.ts'

/** The user's own page: name, password, second factor, sign-ins. */
export const accountPath = '/account'

/** All pages. The first one whose path fits is shown. */
export const pages: readonly Page[] = [...entryPages, ...channelPages, ...templatePages, ...keyPages, ...settingsPages]

/** The links of a workspace, in their order. */
export const navigation: readonly NavigationLink[] = [
  channelNavigation,
  templateNavigation,
  keyNavigation,
  settingsNavigation,
]
