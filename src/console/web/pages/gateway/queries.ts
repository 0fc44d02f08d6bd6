import { useWorkspaceQuery } from '../../app/workspaceData.ts'

export const useGateway = () => useWorkspaceQuery(['gateway'], routes => routes.gateway.get())
export type GatewayState = NonNullable<ReturnType<typeof useGateway>['data']>
