import { accountPages } from '../pages/account/pages.ts'
import { auditNavigation, auditPages } from '../pages/audit/pages.ts'
import { channelNavigation, channelPages } from '../pages/channels/pages.ts'
import { contactNavigation, contactPages } from '../pages/contacts/pages.ts'
import { entryPages } from '../pages/entry/pages.ts'
import { firstRunPages } from '../pages/firstRun/pages.ts'
import { keyNavigation, keyPages } from '../pages/keys/pages.ts'
import { memberNavigation, memberPages } from '../pages/members/pages.ts'
import { messageNavigation, messagePages } from '../pages/messages/pages.ts'
import { overviewNavigation, overviewPages } from '../pages/overview/pages.ts'
import { settingsNavigation, settingsPages } from '../pages/settings/pages.ts'
import { templateNavigation, templatePages } from '../pages/templates/pages.ts'
import { usageNavigation, usagePages } from '../pages/usage/pages.ts'
import type { NavigationLink, Page } from './page.ts'

/** The user's own page: name, password, second factor, sign-ins. */
export const accountPath = '/account'

/** All pages. The first one whose path fits is shown. */
export const pages: readonly Page[] = [
  ...overviewPages,
  ...messagePages,
  ...contactPages,
  ...firstRunPages,
  ...entryPages,
  ...accountPages,
  ...memberPages,
  ...auditPages,
  ...channelPages,
  ...templatePages,
  ...keyPages,
  ...settingsPages,
  ...usagePages,
]

/** The links of a workspace, in their order. */
export const navigation: readonly NavigationLink[] = [
  overviewNavigation,
  messageNavigation,
  contactNavigation,
  channelNavigation,
  templateNavigation,
  keyNavigation,
  usageNavigation,
  memberNavigation,
  auditNavigation,
  settingsNavigation,
]
