"""The part of the generated source that is the same for all rule sets: hands, piles and packed melds.

It is text, because it is compiled together with the tables of a rule set. `PLANES` stands for the names of
a hand's planes, ``LAWFUL(m)`` for the test of a meld.
"""

from __future__ import annotations

CARDS = '''
# ------------------------------------------------------------------ hands and piles


@compiled
def into_hand(S, h, c):
    """Put a card into the hand at h."""
    bit = 1 << c
    S[h + HAND_SIZE] += 1
    while S[h] & bit:
        h += 1
    S[h] |= bit


@compiled
def out_of_hand(S, h, c):
    """Take a card out of the hand at h."""
    bit = 1 << c
    S[h + HAND_SIZE] -= 1
    while S[h + 1] & bit:
        h += 1
    S[h] ^= bit


@compiled
def held(S, h, c):
    """How many copies of a card the hand at h has."""
    found = 0
    while S[h] >> c & 1:
        found += 1
        h += 1
    return found


@compiled
def hand_cards(S, h):
    """The cards of the hand at h, in order of faces."""
    out = ints(S[h + HAND_SIZE])
    n = 0
    x = S[h]
    while x:
        bit = x & -x
        x ^= bit
        p = h
        while S[p] & bit:
            out[n] = BIT[bit % PRIME]
            n += 1
            p += 1
    return out


@compiled
def onto_pile(S, p, c):
    """Put a card on top of the pile at p."""
    S[p] += 1
    S[p + S[p]] = c


@compiled
def off_pile(S, p, c):
    """Take the uppermost copy of a card out of the pile at p."""
    i = p + S[p]
    while S[i] != c:
        i -= 1
    while i < p + S[p]:
        S[i] = S[i + 1]
        i += 1
    S[p] -= 1


@compiled
def pile_cards(S, p):
    """The cards of the pile at p, bottom first."""
    return S[p + 1 : p + 1 + S[p]]


@compiled
def in_pile(S, p, c):
    """How many copies of a card lie in the pile at p."""
    found = 0
    for i in range(p + 1, p + 1 + S[p]):
        if S[i] == c:
            found += 1
    return found


@compiled
def pile_faces(S, p):
    """The faces of the cards in the pile at p, as bits."""
    x = 0
    for i in range(p + 1, p + 1 + S[p]):
        x |= 1 << S[i]
    return x


@compiled
def pile_into_hand(S, p, h):
    """Move all cards of a pile into a hand."""
    for i in range(p + 1, p + 1 + S[p]):
        bit = 1 << S[i]
        q = h
        while S[q] & bit:
            q += 1
        S[q] |= bit
    S[h + HAND_SIZE] += S[p]
    S[p] = 0


@compiled
def pile_onto_pile(S, p, q):
    """Move all cards of a pile onto another, in their order."""
    if p != q:
        for i in range(1, 1 + S[p]):
            S[q + S[q] + i] = S[p + i]
        S[q] += S[p]
        S[p] = 0


@compiled
def hand_onto_pile(S, h, p):
    """Move all cards of a hand onto a pile, in order of faces."""
    cards = hand_cards(S, h)
    empty_hand(S, h)
    for i in range(len(cards)):
        onto_pile(S, p, cards[i])


@compiled
def hand_into_hand(S, h, g):
    """Move all cards of a hand into another."""
    cards = hand_cards(S, h)
    empty_hand(S, h)
    for i in range(len(cards)):
        into_hand(S, g, cards[i])


@compiled
def empty_hand(S, h):
    for i in range(h, h + HAND_SIZE + 1):
        S[i] = 0


@compiled
def tops_into_hand(S, p, h, count):
    """Move cards from the top of a pile into a hand."""
    for _ in range(count):
        into_hand(S, h, S[p + S[p]])
        S[p] -= 1


@compiled
def tops_onto_pile(S, p, q, count):
    """Move cards from the top of a pile onto another, one at a time."""
    for _ in range(count):
        c = S[p + S[p]]
        S[p] -= 1
        onto_pile(S, q, c)
'''

MELDS = '''
# ------------------------------------------------------------------ melds


@remembered
def cards_of(m):
    """The cards of a meld: a sequence from its low end, a group naturals first."""
    s = m & SHAPE_MASK
    out = ints(m >> SIZE & SIZE_MASK)
    digits = m >> DIGITS
    if IN_SEQUENCE[s]:
        at = (s * PLACE_ROWS + (m >> LOW & LOW_MASK)) * WIDTH
        for i in range(len(out)):
            out[i] = STANDS[at + (digits & DIGIT_MASK)]
            digits >>= DIGIT
            at += WIDTH
    else:
        n = 0
        for o in range(GROUP_CHOICES[s]):
            for _ in range(digits & GROUP_DIGIT_MASK):
                out[n] = GROUP_STANDS[s * GROUP_WIDTH + o]
                n += 1
            digits >>= GROUP_DIGIT
    return out


@compiled
def in_meld(m, c):
    """How many copies of a card a meld has."""
    found = 0
    cards = cards_of(m)
    for i in range(len(cards)):
        if cards[i] == c:
            found += 1
    return found


@compiled
def lacks(S, h, m):
    """Whether the hand at h has too few cards for a meld."""
    cards = cards_of(m)
    for i in range(len(cards)):
        if in_meld(m, cards[i]) > held(S, h, cards[i]):
            return True
    return False


@compiled
def melds_size(S, z):
    """How many cards the melds at z have."""
    found = 0
    for i in range(z + 1, z + 1 + 2 * S[z], 2):
        found += S[i] >> SIZE & SIZE_MASK
    return found


@compiled
def in_melds(S, z, c):
    """How many copies of a card the melds at z have."""
    found = 0
    for i in range(z + 1, z + 1 + 2 * S[z], 2):
        found += in_meld(S[i], c)
    return found


@compiled
def lay_meld(S, z, m):
    """Put a meld behind those at z."""
    i = z + 1 + 2 * S[z]
    S[i] = m
    S[i + 1] = UNKNOWN
    S[z] += 1


@compiled
def meld_from_hand(S, h, z, m):
    """Lay a meld with the cards of the hand at h."""
    cards = cards_of(m)
    for i in range(len(cards)):
        out_of_hand(S, h, cards[i])
    lay_meld(S, z, m)


@compiled
def melds_into_hand(S, z, h):
    """Move the cards of all melds at z into a hand."""
    for i in range(z + 1, z + 1 + 2 * S[z], 2):
        cards = cards_of(S[i])
        for j in range(len(cards)):
            into_hand(S, h, cards[j])
    S[z] = 0


@compiled
def melds_onto_pile(S, z, p):
    """Move the cards of all melds at z onto a pile."""
    for i in range(z + 1, z + 1 + 2 * S[z], 2):
        cards = cards_of(S[i])
        for j in range(len(cards)):
            onto_pile(S, p, cards[j])
    S[z] = 0


@compiled
def melds_to_melds(S, z, y):
    """Move all melds at z behind those at y."""
    if z != y:
        for i in range(1, 1 + 2 * S[z]):
            S[y + 2 * S[y] + i] = S[z + i]
        S[y] += S[z]
        S[z] = 0


@compiled
def list_growths(out, m, faces, step):
    """Write down the lawful ways in which a meld grows by one of some faces, in the order of cards.

    A growth is the card, with the end (1 low, 2 high) and the place from which a substitute moves; if `step` is 2,
    the meld that it leads to comes behind it.
    """
    s = m & SHAPE_MASK
    low = m >> LOW & LOW_MASK
    size = m >> SIZE & SIZE_MASK
    substitutes = m >> SUBSTITUTES & SIZE_MASK
    digits = m >> DIGITS
    n = 0
    if size >= MOST_CARDS[s]:
        return n
GROWTH_MODES
    # Stable insertion by card.
    for i in range(step, n, step):
        g = out[i]
        r = out[i + 1]
        j = i
        while j > 0 and (out[j - step] & CARD_MASK) > (g & CARD_MASK):
            out[j] = out[j - step]
            if step == 2:
                out[j + 1] = out[j - 1]
            j -= step
        out[j] = g
        if step == 2:
            out[j + 1] = r
    return n


@remembered
def growths_among(m, faces):
    """The growths of a meld by one of some faces, without what they lead to."""
    out = ints(GROWTHS_BY_FACE * how_many(faces) + 1)
    return out[: list_growths(out, m, faces, 1)]


@remembered
def growths(m):
    """All lawful ways in which a meld grows by a card: growth, result, growth, result, ..."""
    out = ints(2 * GROWTHS_BY_FACE * FACES)
    return out[: list_growths(out, m, ALL_FACES, 2)]


# A meld that has the same growths, though they lead to others.
like = alike(growths)


@remembered
def growth_faces(m):
    """The faces by which a meld can grow, as bits."""
    x = 0
    found = growths(m)
    for i in range(0, len(found), 2):
        x |= 1 << (found[i] & CARD_MASK)
    return x


@compiled
def result_of(m, g):
    """The meld that a growth makes of a meld, 0 if it is no lawful growth."""
    found = growths(m)
    for i in range(0, len(found), 2):
        if found[i] == g:
            return found[i + 1]
    return 0


@remembered
def room(m, c):
    """How many copies of a card can be added to a meld, lawfully, one after another."""
    if not growth_faces(m) >> c & 1:
        return 0
    reached = ints(1)
    reached[0] = m
    for step in range(COPIES[c]):
        further = ints(8)
        n = 0
        for i in range(len(reached)):
            found = growths(reached[i])
            for j in range(0, len(found), 2):
                if found[j] & CARD_MASK == c:
                    if n == len(further):
                        further = wider(further)
                    further[n] = found[j + 1]
                    n += 1
        if n == 0:
            return step
        reached = further[:n]
    return COPIES[c]


@remembered
def grown(m, c, count):
    """The lawful melds that a meld becomes by adding 1 to `count` copies of a card, fewest first."""
    out = ints(16)
    n = 0
    begin = 0
    end = 0
    for step in range(min(count, COPIES[c])):
        for at in range(begin, end) if step else range(1):
            found = growths(out[at] if step else m)
            for i in range(0, len(found), 2):
                if found[i] & CARD_MASK == c:
                    known = False
                    for j in range(n):
                        if out[j] == found[i + 1]:
                            known = True
                    if not known:
                        if n == len(out):
                            out = wider(out)
                        out[n] = found[i + 1]
                        n += 1
        begin = end
        end = n
    return out[:n]


@compiled
def sequences_of(L, n, W, s, present):
    """List the lawful sequences of one shape: `present` has the faces at hand as bits, W how many there are of each."""
    limit = len(L) - WORK
    natural = 0
    spare = 0
    x = present
    while x:
        bit = x & -x
        x ^= bit
        c = BIT[bit % PRIME]
        natural |= NATURAL_PLACES[s * FACES + c]
        if PLACES_OF[s * FACES + c] != NATURAL_PLACES[s * FACES + c]:
            spare += W[c]
    most = MOST_CARDS[s]
    most_substitutes = MOST_SUBSTITUTES[s]
    spare = min(spare, most_substitutes)
    # By the number of cards placed: the faces still to be tried, the face placed, the substitutes and digits before it.
    left = FACES
    face = left + PLACE_ROWS + 1
    used = face + PLACE_ROWS + 1
    placed = used + PLACE_ROWS + 1
    W[used] = 0
    W[placed] = 0
    least = (1 << LEAST_CARDS[s]) - 1
    for low in range(1, LAST_PLACE + 2 - LEAST_CARDS[s]):
        # Where the naturals at hand leave more gaps than there are substitutes, no sequence begins.
        if how_many(~(natural >> low) & least) > spare:
            continue
        size = 0
        at = s * PLACE_ROWS + low
        W[left] = present & STANDS_AT[at]
        while size >= 0:
            x = W[left + size]
            if x == 0:
                size -= 1
                at -= 1
                if size >= 0:
                    W[W[face + size]] += 1
                continue
            bit = x & -x
            W[left + size] = x ^ bit
            c = BIT[bit % PRIME]
            if W[c] == 0:
                continue
            d = DIGIT_OF[at * FACES + c]
            substitutes = W[used + size] + 1 if d >= NATURALS[at] else W[used + size]
            digits = W[placed + size] | d << DIGIT * size
            m = s | low << LOW | (size + 1) << SIZE | substitutes << SUBSTITUTES | digits << DIGITS
            if LAWFUL(m):
                if n < limit:
                    L[n] = m
                n += 1
            if size + 1 < most and low + size < LAST_PLACE:
                W[c] -= 1
                W[face + size] = c
                size += 1
                at += 1
                W[left + size] = present & (STANDS_AT[at] if substitutes < most_substitutes else NATURAL_AT[at])
                W[used + size] = substitutes
                W[placed + size] = digits
    return n


@compiled
def groups_of(L, n, W, s, present):
    """List the lawful groups of one shape: `present` has the faces at hand as bits, W how many there are of each."""
    limit = len(L) - WORK
    most = MOST_CARDS[s]
    # The choices at hand in the order of faces.
    chosen = FACES
    many = 0
    for i in range(GROUP_CHOICES[s]):
        o = GROUP_IN_ORDER[s * GROUP_WIDTH + i]
        if present >> GROUP_STANDS[s * GROUP_WIDTH + o] & 1:
            W[chosen + many] = o
            many += 1
    # By the number of cards placed: the next choice, the choice placed, and the substitutes and digits before it.
    tried = chosen + GROUP_WIDTH
    last = tried + most + 1
    used = last + most + 1
    placed = used + most + 1
    W[tried] = 0
    W[last] = 0
    W[used] = 0
    W[placed] = 0
    size = 0 if most else -1
    while size >= 0:
        i = W[tried + size]
        if i == many:
            if size > 0:
                W[GROUP_STANDS[s * GROUP_WIDTH + W[last + size]]] += 1
            size -= 1
            continue
        W[tried + size] = i + 1
        o = W[chosen + i]
        c = GROUP_STANDS[s * GROUP_WIDTH + o]
        # Naturals come before substitutes, and each in the order of faces.
        if o < W[last + size] or W[c] == 0:
            continue
        substitutes = W[used + size] + 1 if o >= GROUP_NATURALS[s] else W[used + size]
        if substitutes > MOST_SUBSTITUTES[s]:
            continue
        digits = W[placed + size] + (1 << GROUP_DIGIT * o)
        m = s | (size + 1) << SIZE | substitutes << SUBSTITUTES | digits << DIGITS
        if LAWFUL(m):
            if n < limit:
                L[n] = m
            n += 1
        if size + 1 < most:
            W[c] -= 1
            size += 1
            W[tried + size] = 0
            W[last + size] = o
            W[used + size] = substitutes
            W[placed + size] = digits
    return n


@listing
def melds_of_shape(L, n, s, PLANES):
    """List the lawful melds of one shape that can be made of cards, given as planes, in canonical order."""
    W = L[len(L) - WORK :]
    x = p0
    while x:
        bit = x & -x
        x ^= bit
        c = BIT[bit % PRIME]
        W[c] = COPIES_HELD
    if IN_SEQUENCE[s]:
        return sequences_of(L, n, W, s, p0)
    return groups_of(L, n, W, s, p0)


@compiled
def melds_of(P, h):
    """The lawful melds of the cards of a hand, in a list of their own."""
    out = ints(WORK + 32)
    n = new_melds(out, 0, P, h)
    while n > len(out) - WORK:
        out = ints(WORK + 2 * n)
        n = new_melds(out, 0, P, h)
    return out[:n]


@compiled
def with_card(S, h, c):
    """A hand like that at h, with a card more."""
    P = ints(HAND_SIZE + 1)
    for i in range(HAND_SIZE + 1):
        P[i] = S[h + i]
    if COPIES[c] > held(P, 0, c):
        into_hand(P, 0, c)
    return P
'''

DEADWOOD = '''
@compiled
def deadwood(S, h, aside):
    """The least points left of the hand at h when so many cards are set aside and others make lawful melds."""
    return deadwood_of(HAND, min(aside, S[h + HAND_SIZE]))


@remembered
def deadwood_of(PLANES, aside):
    """The same for a hand that is given as planes."""
    width = HAND_SIZE + 1
    first = ints(width)
    size = 0
FILLING
    first[HAND_SIZE] = size
    best = left_points(first, 0, aside)
    found = melds_of(first, 0)
    if len(found) == 0:
        return best
    # By the number of melds made: the hand that is left, and the meld to be tried next.
    hands = ints((size + 1) * width)
    hands[:width] = first
    tried = ints(size + 1)
    made = 0
    while made >= 0:
        i = tried[made]
        if i == len(found):
            made -= 1
            continue
        tried[made] = i + 1
        at = made * width
        after = at + width
        hands[after : after + width] = hands[at:after]
        cards = cards_of(found[i])
        fits = True
        for j in range(len(cards)):
            if held(hands, after, cards[j]) == 0:
                fits = False
                break
            out_of_hand(hands, after, cards[j])
        if not fits or hands[after + HAND_SIZE] < aside:
            continue
        best = min(best, left_points(hands, after, aside))
        made += 1
        tried[made] = i
    return best


@compiled
def left_points(S, h, aside):
    """The points of the hand at h without the dearest cards, so many of them."""
    points = 0
    for p in range(h, h + HAND_SIZE - 1):
        x = S[p]
        while x:
            bit = x & -x
            x ^= bit
            points += VALUE[BIT[bit % PRIME]]
    if aside:
        cards = hand_cards(S, h)
        n = len(cards)
        for _ in range(aside):
            dearest = 0
            for i in range(1, n):
                if VALUE[cards[i]] > VALUE[cards[dearest]]:
                    dearest = i
            points -= VALUE[cards[dearest]]
            n -= 1
            cards[dearest] = cards[n]
    return points
'''
"""What `deadwood` needs; only rule sets that ask for it have it. `FILLING` stands for the planes put into a hand."""

GROWTH_MODES = {
    "end": """\
        if low > 1:
            at = s * PLACE_ROWS + low - 1
            for d in range(CHOICES[at]):
                if not faces >> STANDS[at * WIDTH + d] & 1:
                    continue
                used = substitutes + 1 if d >= NATURALS[at] else substitutes
                if used > MOST_SUBSTITUTES[s]:
                    break
                r = s | (low - 1) << LOW | (size + 1) << SIZE | used << SUBSTITUTES | (digits << DIGIT | d) << DIGITS
                if LAWFUL(r):
                    out[n] = STANDS[at * WIDTH + d] | 1 << END
                    if step == 2:
                        out[n + 1] = r
                    n += step
        if low + size <= LAST_PLACE:
            at = s * PLACE_ROWS + low + size
            for d in range(CHOICES[at]):
                if not faces >> STANDS[at * WIDTH + d] & 1:
                    continue
                used = substitutes + 1 if d >= NATURALS[at] else substitutes
                if used > MOST_SUBSTITUTES[s]:
                    break
                placed = digits | d << DIGIT * size
                r = s | low << LOW | (size + 1) << SIZE | used << SUBSTITUTES | placed << DIGITS
                if LAWFUL(r):
                    out[n] = STANDS[at * WIDTH + d] | 2 << END
                    if step == 2:
                        out[n + 1] = r
                    n += step
""",
    "shift": """\
        for i in range(size if substitutes else 0):
            at = s * PLACE_ROWS + low + i
            d = digits >> DIGIT * i & DIGIT_MASK
            if d < NATURALS[at]:
                continue
            moved = STANDS[at * WIDTH + d]
            for natural in range(NATURALS[at]):
                if not faces >> STANDS[at * WIDTH + natural] & 1:
                    continue
                placed = digits ^ (d ^ natural) << DIGIT * i
                g = STANDS[at * WIDTH + natural] | (low + i) << MOVED
                if low > 1:
                    to = s * PLACE_ROWS + low - 1
                    e = DIGIT_OF[to * FACES + moved]
                    if e >= 0:
                        used = substitutes if e >= NATURALS[to] else substitutes - 1
                        r = s | (low - 1) << LOW | (size + 1) << SIZE | used << SUBSTITUTES
                        r |= (placed << DIGIT | e) << DIGITS
                        if LAWFUL(r):
                            out[n] = g | 1 << END
                            if step == 2:
                                out[n + 1] = r
                            n += step
                if low + size <= LAST_PLACE:
                    to = s * PLACE_ROWS + low + size
                    e = DIGIT_OF[to * FACES + moved]
                    if e >= 0:
                        used = substitutes if e >= NATURALS[to] else substitutes - 1
                        r = s | low << LOW | (size + 1) << SIZE | used << SUBSTITUTES
                        r |= (placed | e << DIGIT * size) << DIGITS
                        if LAWFUL(r):
                            out[n] = g | 2 << END
                            if step == 2:
                                out[n + 1] = r
                            n += step
""",
    "card": """\
        for o in range(GROUP_CHOICES[s]):
            if not faces >> GROUP_STANDS[s * GROUP_WIDTH + o] & 1:
                continue
            used = substitutes + 1 if o >= GROUP_NATURALS[s] else substitutes
            if used > MOST_SUBSTITUTES[s]:
                break
            placed = digits + (1 << GROUP_DIGIT * o)
            r = s | (size + 1) << SIZE | used << SUBSTITUTES | placed << DIGITS
            if LAWFUL(r):
                out[n] = GROUP_STANDS[s * GROUP_WIDTH + o]
                if step == 2:
                    out[n + 1] = r
                n += step
""",
}
"""What a template's melds grow by, mode by mode."""
