import { Button, NavLink, Paper } from '@mantine/core'
import { Link, Redirect, useSearchParams } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { PageLoading } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { newParameter } from '../../components/useFilters.ts'
import { templates as words } from '../../texts/en/templates.ts'
import { texts } from '../../texts/texts.ts'
import { listPath, newPath, useTemplateLines } from './queries.ts'

/**
 * Redirects to the templates of the default line, or of the only account: its lines have the same ones. Of several
 * accounts, asks for a line.
 */
export function LineRedirect() {
  const { id } = useWorkspace()
  const [search] = useSearchParams()
  const { data, error, refetch } = useTemplateLines()
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />
  if (!data) return <PageLoading />
  const { phoneNumbers } = data
  const isOneAccount = new Set(phoneNumbers.map(({ channelId }) => channelId)).size === 1
  const only = isOneAccount ? (phoneNumbers.find(line => line.active) ?? phoneNumbers[0]) : undefined
  const chosen = phoneNumbers.find(line => line.isDefault) ?? only
  const pathOf = search.has(newParameter) ? newPath : listPath
  if (chosen) return <Redirect to={pathOf(id, chosen.id)} replace />
  return (
    <>
      <PageHeader title={words.title} description={phoneNumbers.length === 0 ? words.description : words.chooseLine} />
      {phoneNumbers.length === 0 ? (
        <EmptyList
          title={words.noLines}
          hint={words.noLinesHint}
          action={
            <Button component={Link} href={`/w/${id}/channels`}>
              {texts.channels.title}
            </Button>
          }
        />
      ) : (
        <Paper withBorder>
          {phoneNumbers.map(line => (
            <NavLink
              key={line.id}
              component={Link}
              href={pathOf(id, line.id)}
              label={lineName(line)}
              description={line.active ? line.id : `${line.id}, ${words.inactive}`}
            />
          ))}
        </Paper>
      )}
    </>
  )
}
