import { describe } from 'bun:test'
import { needs } from '../../programs.ts'
import { chromiumPath } from './chromium.ts'
import { openBrowser } from './stage.ts'
import { attentionStories } from './stories/attention.ts'
import { callingStories } from './stories/calling.ts'
import { campaignStories } from './stories/campaigns.ts'
import { clientStories } from './stories/clients.ts'
import { composerStories } from './stories/composer.ts'
import { conversationStories } from './stories/conversations.ts'
import { directionStories } from './stories/directions.ts'
import { everydayStories } from './stories/everyday.ts'
import { everyPageStories } from './stories/everyPage.ts'
import { firstMessageStories } from './stories/firstMessage.ts'
import { inboxStories } from './stories/inbox.ts'
import { keyboardStories } from './stories/keyboard.ts'
import { keyStories } from './stories/keys.ts'
import { lineStories } from './stories/lines.ts'
import { messageStories } from './stories/messages.ts'
import { paletteStories } from './stories/palette.ts'
import { recordingStories } from './stories/recording.ts'
import { requestStories } from './stories/requests.ts'
import { roleStories } from './stories/roles.ts'
import { schedulingStories } from './stories/scheduling.ts'
import { searchStories } from './stories/search.ts'
import { signInStories } from './stories/signIn.ts'
import { unkeptStories } from './stories/unkept.ts'
import { webhookStories } from './stories/webhooks.ts'
import { workspaceStories } from './stories/workspaces.ts'

const { isMissing, name } = needs('the console in a browser', ['Chromium', chromiumPath !== null])

describe.skipIf(isMissing)(name, () => {
  openBrowser()
  firstMessageStories()
  keyboardStories()
  keyStories()
  messageStories()
  paletteStories()
  conversationStories()
  searchStories()
  composerStories()
  schedulingStories()
  campaignStories()
  recordingStories()
  inboxStories()
  callingStories()
  directionStories()
  lineStories()
  attentionStories()
  roleStories()
  everydayStories()
  everyPageStories()
  signInStories()
  unkeptStories()
  webhookStories()
  clientStories()
  requestStories()
  workspaceStories()
})
