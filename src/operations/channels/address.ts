/** Where the upstream sends the callbacks of a channel (docs/upstream.md#callback-subscription). */
export const callbackPath = (channelId: string) => `/callbacks/channel/${channelId}`
