/** The words of the page in French. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Nous cherchons votre place", body: ["Cela prend quelques secondes. Veuillez garder cette page ouverte."] },
    "in-app": {
      heading: "Mieux vaut ouvrir cette page dans votre navigateur",
      body: [
        "Vous êtes dans le navigateur intégré d’une autre application. Si elle ferme cette page, votre place peut être perdue.",
        "Copiez le lien et ouvrez-le dans votre navigateur habituel. Si vous restez, vous obtiendrez votre place ici dans {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "La file est injoignable pour le moment",
      body: ["Personne ne peut s’y inscrire pour l’instant. Cette page continue d’essayer et vous donnera une place dès que possible."],
    },
    "storage-full": {
      heading: "La file ne peut accueillir personne",
      body: ["Si vous avez une place, vous la gardez. Veuillez revenir plus tard ; cette page continue aussi d’essayer."],
    },
    waiting: { heading: "Vous êtes dans la file", body: [] },
    next: {
      heading: "Vous êtes la prochaine personne",
      body: ["Vous entrerez dès qu’il y aura de la place. Veuillez rester sur cette page."],
    },
    nearly: { heading: "Vous y êtes presque", body: ["Veuillez rester sur cette page et préparer vos informations."] },
    slow: { heading: "Vous êtes dans la file", tab: "Plus lent que prévu", body: ["La file avance plus lentement que prévu."] },
    "not-moving": { heading: "La file n’avance pas", body: ["Personne n’entre pour le moment. Vous gardez votre place."] },
    restarted: { heading: "La salle d’attente a redémarré", body: ["La file a recommencé et vous y avez une nouvelle place."] },
    unreachable: {
      heading: "La file est injoignable pour le moment",
      body: ["Vous gardez votre place. Cette page continue d’essayer ; vous n’avez rien à faire."],
    },
    paused: { heading: "La file est en pause", body: ["Personne n’entre pour l’instant. Vous gardez votre place."] },
    called: {
      heading: "C’est votre tour",
      tab: "● Votre tour",
      body: ["Vous pouvez entrer maintenant.", "Votre tour dure encore {valid}. Ensuite, la personne suivante sera appelée."],
    },
    moment: {
      heading: "C’est votre tour",
      tab: "● Vous entrez",
      body: ["Le site s’ouvrira pour vous dans {due}. Veuillez rester sur cette page."],
    },
    missed: {
      heading: "Votre tour est venu pendant votre absence",
      tab: "Vous êtes la prochaine personne",
      body: ["Vous entrerez dès qu’il y aura de la place. Veuillez rester sur cette page.", "Cette seconde chance dure encore {valid}."],
    },
    "missed-others": {
      heading: "Votre tour est venu pendant votre absence",
      tab: "Vous êtes parmi les prochains",
      body: [
        "Vous entrerez parmi les prochains, après d’autres personnes revenues elles aussi. Veuillez rester sur cette page.",
        "Cette seconde chance dure encore {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Heureux de vous revoir",
      body: [
        "Vous n’étiez pas là pendant un moment et aucune place n’est libre à l’instant. Vous entrerez parmi les prochains.",
        "Cette seconde chance dure encore {valid}.",
      ],
    },
    inside: { heading: "Vous avez accès au site", body: ["L’accès vous est ouvert. Vous pouvez continuer vers le site."] },
    "room-off": { heading: "Vous pouvez entrer", body: ["Il n’y a plus de file. Le site s’ouvrira pour vous dans {due}."] },
    void: {
      heading: "L’entrée s’est faite depuis une autre fenêtre",
      body: ["Votre visite y continue. Si vous continuez ici, l’autre fenêtre s’arrêtera.", "Vous pouvez continuer ici {takeovers}."],
    },
    "void-final": {
      heading: "L’entrée s’est faite depuis une autre fenêtre",
      tab: "Votre visite continue ailleurs",
      body: ["Votre visite y continue. Elle a changé de fenêtre trop souvent pour continuer ici.", rejoin],
    },
    left: { heading: "Vous avez quitté la file", body: [`Votre place est revenue à la personne suivante. ${rejoin}`] },
    removed: { heading: "Votre place a été supprimée", body: [`Les responsables de ce site l’ont supprimée. ${rejoin}`] },
    flushed: {
      heading: "La file a été vidée",
      body: ["Les responsables de ce site ont supprimé toutes les places. Vous pouvez vous réinscrire."],
    },
    "turn-over": { heading: "Votre tour est passé", body: [`Votre tour a été annoncé, et le délai pour revenir est écoulé. ${rejoin}`] },
    "visit-over": { heading: "Votre visite est terminée", body: [`Cette visite est terminée. ${rejoin}`] },
    "network-changed": {
      heading: "Est-ce toujours vous ?",
      body: ["Votre connexion a changé plusieurs fois. Votre place est conservée : continuez ici, rien d’autre ne change."],
    },
    "place-void": {
      heading: "Votre place est prise",
      body: [`Ce site a dû changer ses clés, et un autre navigateur a présenté cette place en premier. ${rejoin}`],
    },
    ended: { heading: "Votre place n’est plus valable", body: [`Cette place n’est plus dans la file. ${rejoin}`] },
    "sold-out": { heading: "Complet", body: ["Plus personne n’entre. Vous n’avez plus besoin d’attendre."] },
    full: {
      heading: "La file est pleine",
      body: [
        "Il n’y a pas de place pour d’autres personnes à l’instant. Cette page continue d’essayer et vous donnera une place dès qu’il y en aura une.",
      ],
    },
    closed: {
      heading: "La file n’accepte plus personne",
      body: ["Personne ne peut s’inscrire pour le moment. Les personnes dans la file gardent leur place. Cette page continue d’essayer."],
    },
    "network-limit": {
      heading: "Trop de personnes sur votre réseau",
      body: [
        "Beaucoup de personnes de votre réseau viennent de s’inscrire. Les écoles, les bureaux et les réseaux mobiles partagent souvent une même adresse.",
        "Cette page continue d’essayer. Un autre réseau, par exemple les données mobiles au lieu du wifi, peut être plus rapide.",
      ],
    },
    "network-refused": {
      heading: "Personne ne peut s’inscrire depuis ce réseau",
      body: [
        "Les responsables de ce site n’acceptent personne depuis le réseau que vous utilisez. Un autre réseau peut convenir, par exemple les données mobiles.",
      ],
    },
    challenge: {
      heading: "D’abord une brève vérification",
      body: [
        "Beaucoup de nouvelles personnes arrivent en ce moment. Avant que vous obteniez une place, votre navigateur montre qu’il n’est pas l’un des milliers qu’un robot fait tourner.",
      ],
    },
    "cookies-needed": {
      heading: "Veuillez autoriser les cookies",
      body: [
        "Votre place est conservée dans un cookie. Sans lui, nous ne pouvons pas savoir quand vient votre tour.",
        "Autorisez les cookies pour ce site dans les réglages de votre navigateur, puis réessayez.",
      ],
    },
    lobby: {
      heading: "Vous êtes dans le hall",
      body: [
        "Début : {starts}.",
        "Sur place, cela correspond à {startsThere}.",
        "Votre inscription est déjà comptée ; vous n’avez rien à faire.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "Vous êtes dans la file, et cela n’a pas encore commencé",
      body: ["Début : {starts}.", "Sur place, cela correspond à {startsThere}.", "Vous gardez votre place."],
    },
    delayed: {
      heading: "Le début est retardé",
      body: [
        "C’était prévu : {planned}. Nouveau début : {starts}.",
        "Sur place, cela correspond à {startsThere}.",
        "Votre inscription est déjà comptée ; vous n’avez rien à faire.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Tirage des places…", body: ["{entered}", "Cela prend quelques secondes. Veuillez garder cette page ouverte."] },
    "awaiting-number": {
      heading: "En attente du nombre aléatoire public",
      tab: "Tirage des places…",
      body: [
        "{entered}",
        "L’ordre découle d’un nombre aléatoire public que personne ne connaît encore. Nous l’attendons.",
        "Il arrive le plus souvent en moins de trente secondes. S’il tarde trop, le tirage se fait sans lui, et le procès-verbal du tirage l’indique.",
        "Veuillez garder cette page ouverte.",
      ],
    },
    dealing: {
      heading: "Attribution des places…",
      body: [
        "Toutes les personnes arrivées dans le même court instant reçoivent entre elles une place au hasard. Être un peu plus rapide n’apporte rien.",
        "Veuillez garder cette page ouverte.",
      ],
    },
    cancelled: { heading: "C’est annulé", body: ["Les responsables de ce site l’ont annulé."] },
    "cancelled-line": {
      heading: "C’est annulé",
      body: ["Les responsables de ce site l’ont annulé. Vous gardez votre place dans la file ordinaire."],
    },
    "outside-events": {
      heading: "Ce n’est pas ouvert actuellement",
      body: ["Ouverture : {opens}.", "Personne n’entre avant l’ouverture."],
    },
    rejected: {
      heading: "Personne n’entre pour le moment",
      body: ["Il n’y a pas non plus de file où s’inscrire. Veuillez revenir plus tard."],
    },
    "left-lobby": {
      heading: "Vous avez quitté le hall",
      body: [
        "Votre inscription reste comptée et sa place reste inutilisée. Si vous revenez avant le début, vous aurez une autre inscription.",
      ],
    },
    "invitation-needed": {
      heading: "Il vous faut une invitation",
      body: [
        "Seules les personnes invitées peuvent entrer dans cette file. Ouvrez le lien de votre invitation dans ce navigateur.",
        "Si vous venez de le faire, autorisez les cookies pour ce site et rouvrez le lien.",
      ],
    },
    "invitation-bad": {
      heading: "Cette invitation est illisible",
      body: [
        "Son lien a peut-être été coupé ou modifié en chemin. Rouvrez-le depuis le message qui le contenait, ou copiez-le en entier.",
        "Si cela n’aide pas, demandez-en une nouvelle à la personne qui l’a envoyée.",
      ],
    },
    "invitation-expired": {
      heading: "Cette invitation a expiré",
      body: ["Le délai pour l’utiliser est écoulé. Demandez-en une nouvelle à la personne qui l’a envoyée."],
    },
    "invitation-other-room": {
      heading: "Cette invitation concerne autre chose",
      body: ["Elle n’ouvre pas cette file. Cherchez l’invitation à celle-ci, ou demandez à la personne qui l’a envoyée."],
    },
    "invitation-used": {
      heading: "Cette invitation a été utilisée",
      body: [
        "Toutes les places qu’elle donne sont prises. Si l’une d’elles est la vôtre, continuez dans le navigateur où vous l’avez d’abord ouverte.",
        "Sinon, demandez-en une nouvelle à la personne qui l’a envoyée.",
      ],
    },
    "identity-needed": {
      heading: "Veuillez d’abord vous connecter",
      body: ["Seules les personnes connectées peuvent entrer dans cette file. Connectez-vous, puis revenez sur cette page et réessayez."],
    },
    "identity-bad": {
      heading: "Veuillez vous reconnecter",
      body: ["Votre connexion n’est pas valable ici. Déconnectez-vous, reconnectez-vous, puis revenez sur cette page et réessayez."],
    },
    "identity-expired": {
      heading: "Votre connexion a expiré",
      body: ["La durée de votre connexion est écoulée. Reconnectez-vous, puis revenez sur cette page et réessayez."],
    },
    "identity-unchecked": {
      heading: "Impossible de vérifier votre connexion pour le moment",
      body: ["Vous n’avez rien à faire : cette page continue d’essayer et vous donnera une place dès que possible."],
    },
  },
  ahead: { one: "personne devant vous", many: "de personnes devant vous", other: "personnes devant vous" },
  aheadReturning: {
    one: "autre personne revenue est devant vous",
    many: "d’autres personnes revenues sont devant vous",
    other: "autres personnes revenues sont devant vous",
  },
  aheadTab: { other: "{n} devant vous" },
  aheadSentence: {
    one: "{n} personne est devant vous.",
    many: "{n} de personnes sont devant vous.",
    other: "{n} personnes sont devant vous.",
  },
  takesIn: "Quand ce sera votre tour, cette page vous fera entrer.",
  returners: {
    one: "{n} personne qui avait manqué son tour est revenue et passe entre-temps.",
    many: "{n} de personnes qui avaient manqué leur tour sont revenues et passent entre-temps.",
    other: "{n} personnes qui avaient manqué leur tour sont revenues et passent entre-temps.",
  },
  wait: "Attente estimée : {wait}",
  waitAt: "Attente estimée : {wait} (vers {clock})",
  rose: "La file a ralenti ; l’estimation est donc plus longue qu’avant.",
  waitUnknown: "Nous ne pouvons pas encore estimer l’attente.",
  about: "environ {time}",
  lessThan: "moins de {time}",
  moreThan: "plus de {time}",
  range: "{from} à {to}",
  takeovers: { one: "encore {n} fois", many: "encore {n} fois", other: "encore {n} fois" },
  way: "Votre progression dans la file",
  message: "Message du site",
  messageAt: "Publié : {time}",
  startsIn: "Début dans {time}",
  startsNow: "C’est le début. Votre place suit dans un instant.",
  entered: { one: "{n} personne est inscrite.", many: "{n} de personnes sont inscrites.", other: "{n} personnes sont inscrites." },
  randomPlace:
    "Toutes les personnes inscrites d’ici là recevront une place au hasard. Une fois le hall ouvert, arriver plus tôt n’apporte rien.",
  sealed: "Le tirage a été scellé avant toute inscription ({commitment}).",
  beaconRule:
    "Il lui faut aussi un nombre aléatoire public qui n’est produit qu’après le début : personne ne peut connaître l’ordre avant.",
  beaconNone: "Il n’utilise pas de nombre aléatoire public : les responsables de cette salle auraient pu connaître l’ordre à l’avance.",
  calendar: "Ajouter au calendrier",
  calendarTurn: "{title} : votre tour, au plus tôt",
  howDrawn: "Comment se fait le tirage",
  checkDraw: "Comment votre place a été tirée",
  placeTitle: "Votre place",
  placeNotes: [
    "Votre place est conservée dans ce navigateur ; elle est perdue si vous effacez les cookies ou fermez une fenêtre privée.",
    "Si vous fermez cette page, vous gardez votre place. Si vous n’êtes pas là quand vient votre tour, vous avez au moins 10 minutes pour revenir et entrer parmi les prochains.",
    "Entrer ne signifie pas que ce que vous souhaitez est encore disponible.",
  ],
  reference: "Code de référence pour l’assistance : {code}",
  rejoin: "Si vous vous réinscrivez, vous commencez à la fin de la file.",
  rejoinLobby: "Cela n’a pas encore commencé : si vous vous réinscrivez, vous participez comme toute personne qui arrive maintenant.",
  leave: "Quitter la file",
  leaveConsequence: "Votre place revient à la personne suivante. Si vous revenez plus tard, vous commencez à la fin de la file.",
  leaveLobby:
    "Votre inscription reste comptée, mais personne n’utilise sa place. Si vous revenez avant le début, vous aurez une autre inscription.",
  leaveConfirm: "Oui, abandonner ma place",
  enter: "Entrer maintenant",
  join: "Se réinscrire",
  stay: "Rester ici",
  copyLink: "Copier le lien",
  copied: "Copié",
  continueHere: "Continuer ici",
  tryAgain: "Réessayer",
  logIn: "Se connecter",
  invitation: "Votre invitation : son lien, ou le long code qu’il contient",
  useInvitation: "Utiliser cette invitation",
  check: "Vérifier maintenant",
  language: "Langue",
  updated: "Dernière mise à jour {time}",
  updatesItself: "Cette page se met à jour toute seule.",
  pauseUpdates: "Suspendre la mise à jour",
  showUpdates: "Reprendre la mise à jour",
  updatesPaused: "La mise à jour est suspendue. Vous gardez votre place et cette page vous préviendra quand ce sera votre tour.",
  reloadsItself: "Cette page se recharge à intervalle régulier : {time}.",
  reloadsStop: "Arrêter le rechargement",
  reloadsOff: "Cette page ne se met pas à jour toute seule.",
  reloadsStart: "Mettre à jour automatiquement",
  enteringIn: "Le site s’ouvre dans {time}",
  entering: "Ouverture du site…",
  yourTurn: "C’est votre tour. Le site s’ouvre dans quelques secondes, ou appuyez sur « Entrer maintenant ».",
  yourTurnForm: "C’est votre tour. Vous pouvez envoyer votre formulaire maintenant.",
  stayOn: "Rester sur cette page",
  staying: "C’est votre tour. Cette page n’entre plus toute seule.",
  turnEnds: "Temps pour entrer : {time}",
  moreTime: "J’ai besoin de plus de temps",
  alerts: {
    me: "M’avertir quand c’est mon tour",
    sound: "Jouer un son",
    vibrate: "Vibrer",
    notification: "Afficher une notification",
    screen: "Garder l’écran allumé",
    refused: "Votre navigateur ne le permet pas.",
  },
  offline: "Vous êtes hors ligne. Cette page reprendra dès que la connexion sera rétablie.",
  offlineTab: "Hors ligne",
  noAnswer: "Pas de réponse à l’instant. Cette page continue d’essayer.",
  placeKept: "Vous gardez votre place.",
  backAgain: "La connexion est rétablie.",
  proof: {
    progress: "Progression de la vérification",
    working: "Votre appareil effectue un calcul. Cela prend quelques secondes, rarement une ou deux minutes ; vous n’avez rien à faire.",
    done: "{percent} de la vérification effectués.",
    shown: "La vérification est terminée.",
    again: "Ce que votre navigateur a montré ne compte plus ; la vérification est demandée encore une fois.",
    unchecked: "La vérification est impossible pour le moment. Cette page continue d’essayer ; vous n’avez rien à faire.",
    stop: "Arrêter la vérification",
    start: "Démarrer la vérification",
    stopped: "La vérification est arrêtée. Cette page essaie tout de même de temps en temps d’obtenir une place sans elle.",
    failed:
      "Ce navigateur ne peut pas effectuer la vérification. Cette page essaie tout de même de temps en temps d’obtenir une place sans elle.",
    widget: "Cette vérification est faite par Cloudflare Turnstile.",
    widgetFailed:
      "La vérification n’a pas pu être chargée depuis challenges.cloudflare.com. Si quelque chose bloque cette adresse, autorisez-la, puis recommencez.",
    noScripts:
      "La vérification a besoin de JavaScript. Autorisez-le pour ce site, ou laissez cette page ouverte : elle essaie de temps en temps d’obtenir une place sans vérification.",
  },
  formLost:
    "Ce que vous avez envoyé n’est pas arrivé au site. Une fois dans le site, cette page s’ouvrira sans ces données ; veuillez alors les renvoyer depuis le site.",
  formKept:
    "Ce que vous avez envoyé n’est pas arrivé au site. Veuillez garder cette page ouverte : une fois votre tour venu, vous pourrez le renvoyer d’ici.",
  formSend: "Renvoyer",
  formFirst: "Pour entrer, ouvrez cette page dans un nouvel onglet. Quand le site y sera ouvert, revenez ici et renvoyez.",
  formOpen: "Ouvrir cette page dans un nouvel onglet",
  sentence: "{text}.",
};
