import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { membersQuery } from '../../api/members.ts'
import { sessionQuery } from '../../api/session.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

type AssigneeMenuProps = {
  projectId: string
  /** Who it is now; null for nobody, undefined where several are assigned at once. */
  personId?: string | null
  trigger: ReactElement<Record<string, unknown>>
  onAssign: (personId: string | null, name: string) => void
}

/** The members of the project, oneself first, and nobody. */
export function AssigneeMenu({ trigger, ...choices }: AssigneeMenuProps) {
  return (
    <Menu align="end" trigger={trigger}>
      <Choices {...choices} />
    </Menu>
  )
}

function Choices({ projectId, personId, onAssign }: Omit<AssigneeMenuProps, 'trigger'>) {
  const { data, error } = useQuery(membersQuery(projectId))
  const { data: session } = useQuery(sessionQuery)
  const me = session?.person.id
  if (error)
    return (
      <p role="alert" className="max-w-60 px-2 py-1.5 text-small text-bad">
        {error.message}
      </p>
    )
  if (data === undefined) return <p className="px-2 py-1.5 text-small text-muted">Loading the members</p>
  const members = data.members.toSorted((one, other) => Number(other.personId === me) - Number(one.personId === me))
  return (
    <>
      {members.map((member) => (
        <MenuItem
          key={member.personId}
          isChosen={member.personId === personId}
          detail={member.personId === me ? 'you' : undefined}
          onSelect={() => onAssign(member.personId, member.name)}
        >
          {plainLine(member.name)}
        </MenuItem>
      ))}
      {personId !== null && (
        <>
          <MenuSeparator />
          <MenuItem isChosen={false} onSelect={() => onAssign(null, '')}>
            Nobody
          </MenuItem>
        </>
      )}
    </>
  )
}
