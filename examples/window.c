/* window.c: a game's loop. 5,000 people wander about a square; you are the orange one. Walk with the arrow keys or
 * WASD, hold shift to run, and the crowd parts; escape ends it. Needs SDL2.
 *
 *     window [SECONDS [PICTURE.bmp]]        ends by itself, and keeps the last frame */

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

enum { PEOPLE = 5000, WIDTH = 1280, HEIGHT = 800, DISC = 13, ACROSS = 74 };
static const double side = 76;  /* m, of the square */
static const double scale = 24; /* pixels per m */
static const double walk = 1.4, run = 4;

/* A square with pillars, where everybody has one place after another to go to. */
static throng_world *make_world(throng_agent *player) {
    throng_point border[] = {{0, 0}, {side, 0}, {side, side}, {0, side}}, pillar[25][4];
    throng_obstacle pillars[25];
    for (int i = 0; i < 25; i++) {
        double x = side * (0.5 + i % 5) / 5, y = side * (0.5 + i / 5) / 5;
        for (int k = 0; k < 4; k++)
            pillar[i][k] = (throng_point){x + (k == 1 || k == 2 ? 1 : -1), y + (k > 1 ? 1 : -1)};
        pillars[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {pillar[i], 4}};
    }
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){border, 4};
    place_def.obstacles = pillars;
    place_def.obstacle_count = 25;
    throng_error error = {0};
    throng_place *place = throng_place_create(&place_def, &error);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = place ? throng_world_create(&def, &error) : NULL;
    throng_place_destroy(place);
    if (!world) return fprintf(stderr, "%s\n", error.text), NULL;

    throng_goal_def about = throng_default_goal_def();
    about.kind = THRONG_GOAL_ROAM;
    about.ring = (throng_ring){border, 4};
    about.repeat = true;
    throng_goal goal = throng_world_add_goal(world, &about);
    throng_agent_def person = throng_default_agent_def();
    person.journey = &goal;
    person.journey_count = 1;
    for (int i = 0, added = 0; added < PEOPLE && i < ACROSS * ACROSS; i++) {
        int column = i % ACROSS, line = i / ACROSS;
        person.at = (throng_point){side * (column + 0.5) / ACROSS, side * (line + 0.5) / ACROSS};
        added += throng_world_add_agent(world, &person) != 0; /* who would stand in a pillar is refused */
    }
    person.at = (throng_point){side / 2, side / 2 + 4};
    person.journey_count = 0;
    person.max_speed = run;
    *player = throng_world_add_agent(world, &person);
    return world;
}

/* A filled disc as a picture, to be drawn in any colour. */
static SDL_Texture *make_disc(SDL_Renderer *renderer) {
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, DISC, DISC, 32, SDL_PIXELFORMAT_RGBA32);
    for (int y = 0; y < DISC; y++)
        for (int x = 0; x < DISC; x++) {
            double from = hypot(x - DISC / 2, y - DISC / 2) - DISC / 2.0;
            Uint8 alpha = from < -0.5 ? 255 : from > 0.5 ? 0 : (Uint8)(255 * (0.5 - from));
            ((Uint32 *)surface->pixels)[y * DISC + x] = SDL_MapRGBA(surface->format, 255, 255, 255, alpha);
        }
    SDL_Texture *disc = SDL_CreateTextureFromSurface(renderer, surface);
    SDL_FreeSurface(surface);
    return disc;
}

/* Where the keys point, as a velocity. */
static throng_point wanted(void) {
    const Uint8 *key = SDL_GetKeyboardState(NULL);
    double x = (key[SDL_SCANCODE_RIGHT] || key[SDL_SCANCODE_D]) - (key[SDL_SCANCODE_LEFT] || key[SDL_SCANCODE_A]);
    double y = (key[SDL_SCANCODE_UP] || key[SDL_SCANCODE_W]) - (key[SDL_SCANCODE_DOWN] || key[SDL_SCANCODE_S]);
    double length = hypot(x, y), speed = key[SDL_SCANCODE_LSHIFT] || key[SDL_SCANCODE_RSHIFT] ? run : walk;
    return length > 0 ? (throng_point){speed * x / length, speed * y / length} : (throng_point){0, 0};
}

static void draw(SDL_Renderer *renderer, SDL_Texture *disc, const throng_world *world, throng_agent player) {
    throng_view view = throng_world_view(world);
    size_t me = throng_world_row(world, player);
    double left = view.x[me] - WIDTH / scale / 2, top = view.y[me] + HEIGHT / scale / 2;
    SDL_SetRenderDrawColor(renderer, 24, 26, 31, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 96, 100, 110, 255);
    const throng_place *place = throng_world_place(world);
    for (size_t i = 0; i < throng_place_ring_count(place); i++) {
        throng_ring ring = throng_place_ring(place, i);
        for (size_t k = 0; k < ring.count; k++) {
            throng_point a = ring.points[k], b = ring.points[(k + 1) % ring.count];
            SDL_RenderDrawLineF(renderer, (float)((a.x - left) * scale), (float)((top - a.y) * scale),
                                (float)((b.x - left) * scale), (float)((top - b.y) * scale));
        }
    }
    for (size_t row = 0; row < view.count; row++) {
        double r = view.radius[row] * scale, x = (view.x[row] - left) * scale, y = (top - view.y[row]) * scale;
        if (x < -r || x > WIDTH + r || y < -r || y > HEIGHT + r) continue;
        double slow = 1 - fmin(1, hypot(view.vx[row], view.vy[row]) / walk);
        if (row == me)
            SDL_SetTextureColorMod(disc, 255, 140, 40);
        else
            SDL_SetTextureColorMod(disc, (Uint8)(90 + 150 * slow), (Uint8)(170 - 80 * slow), (Uint8)(235 - 120 * slow));
        SDL_FRect where = {(float)(x - r), (float)(y - r), (float)(2 * r), (float)(2 * r)};
        SDL_RenderCopyF(renderer, disc, NULL, &where);
    }
}

static void keep_picture(SDL_Renderer *renderer, const char *path) {
    SDL_Surface *shot = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, shot->pixels, shot->pitch);
    SDL_SaveBMP(shot, path);
    SDL_FreeSurface(shot);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : INFINITY;
    throng_agent player;
    throng_world *world = make_world(&player);
    if (!world || SDL_Init(SDL_INIT_VIDEO)) return fprintf(stderr, "%s\n", SDL_GetError()), 1;
    SDL_Window *window = SDL_CreateWindow("Throng", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    SDL_Renderer *renderer = window ? SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC) : NULL;
    if (!renderer) return fprintf(stderr, "%s\n", SDL_GetError()), 1;
    SDL_Texture *disc = make_disc(renderer);
    Uint64 before = SDL_GetPerformanceCounter();
    double due = 0; /* s that the world is behind the clock */
    int frames = 0;
    for (bool going = true; going && throng_world_time(world) < seconds; frames++) {
        for (SDL_Event event; SDL_PollEvent(&event);)
            going =
                going && event.type != SDL_QUIT && !(event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE);
        Uint64 now = SDL_GetPerformanceCounter();
        due = fmin(due + (double)(now - before) / (double)SDL_GetPerformanceFrequency(), 0.25);
        before = now;
        for (; due >= throng_world_dt(world); due -= throng_world_dt(world)) {
            throng_world_wish_agent(world, player, argc > 1 ? (throng_point){run, 0} : wanted()); /* for one step */
            throng_world_step(world);
        }
        draw(renderer, disc, world, player);
        SDL_RenderPresent(renderer);
    }
    if (argc > 2) draw(renderer, disc, world, player), keep_picture(renderer, argv[2]);
    throng_view view = throng_world_view(world);
    printf("%zu people, %d frames in %.1f s; you are at (%.1f, %.1f)\n", view.count, frames, view.time,
           view.x[throng_world_row(world, player)], view.y[throng_world_row(world, player)]);
    throng_world_destroy(world);
    SDL_Quit();
    return 0;
}
