import { isUnlimited, messagingLimitOf } from '../../../../base/messagingLimit.ts'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { whole } from '../../components/numbers.ts'
import { texts } from '../../texts/texts.ts'

export const useChannels = () => useWorkspaceQuery(['channels'], routes => routes.channels.get())
export const useLines = () => useWorkspaceQuery(['lines'], routes => routes.lines.get())
/** Asks the platform whether the channel works. */
export const useCheck = (channelId: string, enabled: boolean) =>
  useWorkspaceQuery(['check', channelId], routes => routes.channels({ channelId }).check.get(), {
    enabled,
    retry: false,
  })

/** How many people the account wrote to first, of those that the limit of its lines counts. */
export const useOpenedPeople = (channelId: string, enabled: boolean) =>
  useWorkspaceQuery(['opened', channelId], routes => routes.channels({ channelId })['opened-people'].get(), { enabled })

export type ListedChannel = NonNullable<ReturnType<typeof useChannels>['data']>['channels'][number]
export type ListedLine = NonNullable<ReturnType<typeof useLines>['data']>['lines'][number]
export type CheckedNumber = NonNullable<ReturnType<typeof useCheck>['data']>['account']['numbers'][number]

const { newPeople, newPeopleUnlimited } = texts.channels

/** @returns to how many new people a line may write in a day; a limit that is not known as the platform names it */
function limitWords(limit: string): string {
  if (isUnlimited(limit)) return newPeopleUnlimited
  const perDay = messagingLimitOf(limit)
  return perDay === null ? limit : newPeople(whole(perDay))
}

/** @returns the name that recipients see, the quality, the state and the limit, as far as the platform tells them */
export const factsOf = ({
  name,
  quality,
  status = null,
  messagingLimit,
}: Pick<ListedLine, 'name' | 'quality' | 'messagingLimit'> & Partial<Pick<CheckedNumber, 'status'>>) =>
  [
    name,
    quality && (texts.channels.qualities[quality] ?? quality),
    // As it should be, which needs no word.
    status === 'CONNECTED' ? null : status,
    messagingLimit && limitWords(messagingLimit),
  ]
    .filter(fact => fact !== null)
    .join(' · ')
