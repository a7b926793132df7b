// Invented committees, in the format of `stockact committees import`.

/** The list of committees. Committees: {id, name, type ('house'), parts: {'07': 'Orchards'}}. */
export function committeesJson(committees) {
  return JSON.stringify(
    committees.map(({ id, name, type = 'house', parts = {} }) => ({
      type,
      name,
      thomas_id: id,
      url: `https://${id.toLowerCase()}.example.gov/`,
      subcommittees: Object.entries(parts).map(([number, part]) => ({
        name: part,
        thomas_id: number,
        phone: '(202) 555-0100',
      })),
    })),
  );
}

/**
 * Their members: {committee: [{member, title, chamber, side}]}, with the members of membersJson.
 */
export function membershipJson(seats) {
  const entry = ({ member, title, chamber, side = 'majority' }, index) => ({
    name: `${member.first} ${member.last}`,
    party: side,
    rank: index + 1,
    ...(title ? { title } : {}),
    bioguide: member.id,
    ...(chamber ? { chamber } : {}),
  });
  return JSON.stringify(
    Object.fromEntries(Object.entries(seats).map(([id, list]) => [id, list.map(entry)])),
  );
}
