"""How people get past each other, measured from recordings: for claims_pbd.py and tables.py.

A run must have been read with `sample`: moments are the frames that many seconds apart, and the frame after each gives velocities.

    passed    of somebody: no opposing one is ahead within 6 to either side. Opposing is whoever walks another way.
    t95       the first moment at which 95 % have passed
    order     the lane order of Rex and Loewen: ((same - opposing) / (same + opposing))^2 over whoever is within 1.5 to either side
              and 20 before or behind, if these are four or more and one of them is opposing; the mean over people
    lanes     half a period of lanes along the x axis, where both groups are: twice the distance aside at which two people less than 10
              before or behind each other are as often opposed as not
    stripes   of two groups that cross at right angles, where both are: the mean product of directions (1 or -1) of two people 2.5 to 12
              apart along the diagonal that stripes follow, less than 1.2 aside
    kept      of the four nearest of one's group at first, how many are among the eight nearest in the end
    fast      the share of ways from frame to frame that are longer than at `max_speed_factor` times the desired speed
    rotation  the mean of (position x velocity) / (|position| 1.4) around the origin
    progress  how far people came towards where they want to, on average
"""

import bisect
import math
from collections import deque

from runs import Moments

ASIDE, LANE, ALONG = 6.0, 1.5, 20.0


def headings(scenario):
    """{group: unit vector}, from goals that are directions or places shifted by as much for all."""
    found = {}
    for entry in scenario["agents"]:
        goal = entry["goal"] if isinstance(entry["goal"], dict) else {}
        direction = goal.get("direction") or goal.get("offset")
        if direction:
            length = math.hypot(*direction)
            found[entry["group"]] = (direction[0] / length, direction[1] / length)
    return found


class Crowd(Moments):
    """The moments of a run, `sample` s apart."""

    def __init__(self, run, sample):
        super().__init__(run, max(2, round(sample / run.frame_s)))
        self.heading = headings(run.scenario)

    def at(self, time):
        """Who is where at a moment, or at the last one before: a run ends when everybody has arrived."""
        return self.moments[max(t for t in self.moments if t <= time + 1e-6)]

    # ---------------------------------------------------------------- passing

    @staticmethod
    def count_passed(own, others):
        """How many of `own` have none of the others ahead; both are [(aside, along)]. A window slides over those within
        ASIDE to either side and keeps who is farthest along."""
        own, others = sorted(own), sorted(others)
        count, entering, window = 0, 0, deque()
        for aside, along in own:
            while entering < len(others) and others[entering][0] < aside + ASIDE:
                while window and window[-1][1] <= others[entering][1]:
                    window.pop()
                window.append(others[entering])
                entering += 1
            while window and window[0][0] <= aside - ASIDE:
                window.popleft()
            count += not window or window[0][1] <= along
        return count

    def passed_at(self, time, group=None):
        """The share of those who are there, of one group or all, who have passed."""
        here, count, total = self.at(time), 0, 0
        for name, (ux, uy) in self.heading.items():
            if group not in (None, name):
                continue
            turned = {True: [], False: []}
            for who, (x, y) in here.items():
                vx, vy = self.heading[self.groups[who]]
                same = ux * vx + uy * vy > 0.5
                if same and self.groups[who] != name:
                    continue
                turned[same].append((uy * x - ux * y, ux * x + uy * y))
            count += self.count_passed(turned[True], turned[False])
            total += len(turned[True])
        return count / max(total, 1)

    def t95(self, share=0.95, group=None):
        """The first moment by which that share has passed, or infinity."""
        return next((t for t in self.moments if self.passed_at(t, group) >= share), math.inf)

    # ---------------------------------------------------------------- lanes

    def order_at(self, time):
        """(lane order, share of people it is of), lanes along the x axis."""
        people = sorted((y, x, self.groups[who]) for who, (x, y) in self.moments[time].items())
        sides = [y for y, _, _ in people]
        values = []
        for y, x, group in people:
            same, opposing = 0, 0
            for k in range(bisect.bisect_right(sides, y - LANE), bisect.bisect_left(sides, y + LANE)):
                if abs(people[k][1] - x) < ALONG:
                    if people[k][2] == group:
                        same += 1
                    else:
                        opposing += 1
            same -= 1  # itself
            if same + opposing >= 4 and opposing >= 1:
                values.append(((same - opposing) / (same + opposing)) ** 2)
        return (sum(values) / len(values) if values else 0.0), len(values) / max(len(people), 1)

    def order(self):
        """The largest lane order of the moments in which it is of a quarter of the people or more."""
        found = [self.order_at(t) for t in self.moments]
        return max((value for value, share in found if share >= 0.25), default=0.0)

    def mixed(self, here, axis, margin=0.0):
        """Between which coordinates along an axis both groups are, but for one in fifty of each at either side."""
        sides = []
        for group in sorted(set(self.groups.values())):
            found = sorted(at[axis] for who, at in here.items() if self.groups[who] == group)
            sides.append((found[len(found) // 50], found[-1 - len(found) // 50]) if found else (0, 0))
        return max(low for low, _ in sides) - margin, min(high for _, high in sides) + margin

    def lanes(self, step=0.25, most=12.0):
        """Half a period, or infinity where people are opposed at no distance up to `most`."""
        product, count = [0] * int(most / step), [0] * int(most / step)
        for here in self.moments.values():
            low, high = self.mixed(here, 0)
            people = sorted((y, x, self.groups[who]) for who, (x, y) in here.items() if low < x < high)
            if len(people) < 60:
                continue
            for k, (y, x, group) in enumerate(people):
                for other in range(k + 1, len(people)):
                    aside = people[other][0] - y
                    if aside >= most:
                        break
                    if abs(people[other][1] - x) < 10:
                        product[int(aside / step)] += 1 if people[other][2] == group else -1
                        count[int(aside / step)] += 1
        means = [a / b if b else 1.0 for a, b in zip(product, count)]
        for k in range(1, len(means)):
            if means[k] < 0 <= means[k - 1]:
                return 2 * step * (k - 0.5 + means[k - 1] / (means[k - 1] - means[k]))
        return math.inf

    def stripes(self):
        product, count = 0, 0
        (ux, uy), (vx, vy) = (self.heading[group] for group in sorted(self.heading))
        along = (ux - vx) / math.sqrt(2), (uy - vy) / math.sqrt(2)  # across the way they have in common
        along = (-along[1], along[0]) if abs(along[0] * (ux + vx) + along[1] * (uy + vy)) > 0.5 else along
        for here in self.moments.values():
            bounds = [self.mixed(here, axis, 2) for axis in (0, 1)]
            people = [(at, self.groups[who]) for who, at in here.items() if all(low < c < high for c, (low, high) in zip(at, bounds))]
            sizes = [sum(group == name for _, group in people) for name in sorted(self.heading)]
            if min(sizes) < 15 or len(people) < 40:
                continue
            for k, ((x, y), group) in enumerate(people):
                for (x2, y2), other in people[:k]:
                    far, aside = (x - x2) * along[0] + (y - y2) * along[1], (y - y2) * along[0] - (x - x2) * along[1]
                    if 2.5 < abs(far) < 12 and abs(aside) < 1.2:
                        product += 1 if group == other else -1
                        count += 1
        return product / count if count else 0.0

    # ---------------------------------------------------------------- the rest

    def kept(self, time, group):
        def nearest(here, count):
            people = [(who, at) for who, at in here.items() if self.groups[who] == group]
            return {who: {other for _, other in sorted((math.dist(at, to), other) for other, to in people if other != who)[:count]}
                    for who, at in people}
        before, after = nearest(self.start, 4), nearest(self.at(time), 8)
        return sum(len(before[who] & after[who]) for who in after) / (4 * len(after))

    def fast(self):
        over, count = 0, 0
        most = 1.0001 * self.run.scenario["model"]["params"]["pbd"].get("max_speed_factor", 1.2)
        for velocities in self.velocities.values():
            for who, (vx, vy) in velocities.items():
                over += math.hypot(vx, vy) > most * self.run.people[who]["desired_speed"]
                count += 1
        return over / max(count, 1)

    def progress_at(self, time, goal=None):
        """Along one's heading, or, with goal(who), towards that point."""
        ways = []
        for who, (x, y) in self.at(time).items():
            x0, y0 = self.start[who]
            if goal:
                gx, gy = goal(who)
                ways.append(math.dist((x0, y0), (gx, gy)) - math.dist((x, y), (gx, gy)))
            else:
                ux, uy = self.heading[self.groups[who]]
                ways.append(ux * (x - x0) + uy * (y - y0))
        return sum(ways) / len(ways)

    def rotation(self):
        """The largest rotation of all moments, either way round."""
        most = 0.0
        for t, velocities in self.velocities.items():
            parts = [(x * vy - y * vx) / (math.hypot(x, y) * 1.4) for (x, y), (vx, vy) in
                     ((self.moments[t][who], v) for who, v in velocities.items()) if math.hypot(x, y) > 1e-9]
            most = max(most, abs(sum(parts) / max(len(parts), 1)))
        return most

    def spread(self, time, group):
        """Standard deviations of x and y."""
        found = []
        for axis in (0, 1):
            values = [at[axis] for who, at in self.at(time).items() if self.groups[who] == group]
            mean = sum(values) / len(values)
            found.append(math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)))
        return found

    def flow(self):
        """People a second who leave, between the times by which 20 % and 80 % of those who left had done so."""
        end = max(self.moments)
        times = sorted(t for t, _, _ in self.last.values() if t < end - 1.5 * self.run.frame_s)
        if len(times) < 10:
            return 0.0
        first, last = int(0.2 * len(times)), int(0.8 * len(times))
        return (last - first) / (times[last] - times[first])
