/** What the page says to newcomers who lack an invitation or a log-in, in English; part of the catalogue in words.ts. Pure data. */

export const doorKinds = {
  "invitation-needed": {
    heading: "You need an invitation",
    body: [
      "Only people with an invitation can join this line. Open the link of your invitation in this browser.",
      "If you have just done that, allow cookies for this site and open the link again.",
    ],
  },
  "invitation-bad": {
    heading: "This invitation can’t be read",
    body: [
      "Its link may have been cut off or changed on the way. Open it again from the message that it came with, or copy all of it.",
      "If that does not help, ask whoever sent it for a new one.",
    ],
  },
  "invitation-expired": {
    heading: "This invitation has expired",
    body: ["The time to use it is over. Ask whoever sent it for a new one."],
  },
  "invitation-other-room": {
    heading: "This invitation is for something else",
    body: ["It does not open this line. Look for the invitation to this one, or ask whoever sent it."],
  },
  "invitation-used": {
    heading: "This invitation has been used",
    body: [
      "All the places that it gives have been taken. If one of them is yours, go on in the browser where you opened it first.",
      "Otherwise ask whoever sent it for a new one.",
    ],
  },
  "identity-needed": {
    heading: "Please log in first",
    body: ["Only people who are logged in can join this line. Log in, then come back to this page and try again."],
  },
  "identity-bad": {
    heading: "Please log in again",
    body: ["Your log-in does not count here. Log out, log in again, then come back to this page and try again."],
  },
  "identity-expired": {
    heading: "Please log in again",
    body: ["The time of your log-in is over. Log in again, then come back to this page and try again."],
  },
  "identity-unchecked": {
    heading: "We can’t check your log-in right now",
    body: ["There is nothing you need to do: this page keeps trying and gives you a place as soon as it can."],
  },
} as const;
